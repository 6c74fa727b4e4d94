/**
 * Image formats: which channels a pixel has and how each is stored (OpenCL 1.2, 5.3.1.1; OpenCL 2.0, 5.3.1.1). This table is the only place
 * that knows which combinations exist and how many bytes they take; devices say which of them they support.
 */

/** cl_image_format. */
export interface ImageFormat {
  /** cl_channel_order. */
  readonly order: number;
  /** cl_channel_type. */
  readonly type: number;
}

/** cl_channel_order. */
export const channelOrder = {
  R: 0x10b0,
  A: 0x10b1,
  RG: 0x10b2,
  RA: 0x10b3,
  RGB: 0x10b4,
  RGBA: 0x10b5,
  BGRA: 0x10b6,
  ARGB: 0x10b7,
  INTENSITY: 0x10b8,
  LUMINANCE: 0x10b9,
  Rx: 0x10ba,
  RGx: 0x10bb,
  RGBx: 0x10bc,
  DEPTH: 0x10bd,
  DEPTH_STENCIL: 0x10be,
  sRGB: 0x10bf,
  sRGBx: 0x10c0,
  sRGBA: 0x10c1,
  sBGRA: 0x10c2,
} as const;

/** cl_channel_type. */
export const channelType = {
  SNORM_INT8: 0x10d0,
  SNORM_INT16: 0x10d1,
  UNORM_INT8: 0x10d2,
  UNORM_INT16: 0x10d3,
  UNORM_SHORT_565: 0x10d4,
  UNORM_SHORT_555: 0x10d5,
  UNORM_INT_101010: 0x10d6,
  SIGNED_INT8: 0x10d7,
  SIGNED_INT16: 0x10d8,
  SIGNED_INT32: 0x10d9,
  UNSIGNED_INT8: 0x10da,
  UNSIGNED_INT16: 0x10db,
  UNSIGNED_INT32: 0x10dc,
  HALF_FLOAT: 0x10dd,
  FLOAT: 0x10de,
  UNORM_INT24: 0x10df,
} as const;

type OrderName = keyof typeof channelOrder;
type TypeName = keyof typeof channelType;

/**
 * For each order, which components (indices into red, green, blue, alpha) a pixel stores, first the one at the lowest
 * address; DEPTH_STENCIL stores a stencil after the depth. The x of Rx, RGx, RGBx and sRGBx takes no place: it says that the border's alpha is 0.
 */
const storedComponents: Readonly<Record<OrderName, readonly number[]>> = {
  R: [0],
  A: [3],
  RG: [0, 1],
  RA: [0, 3],
  RGB: [0, 1, 2],
  RGBA: [0, 1, 2, 3],
  BGRA: [2, 1, 0, 3],
  ARGB: [3, 0, 1, 2],
  INTENSITY: [0],
  LUMINANCE: [0],
  Rx: [0],
  RGx: [0, 1],
  RGBx: [0, 1, 2],
  DEPTH: [0],
  DEPTH_STENCIL: [0, 1],
  sRGB: [0, 1, 2],
  sRGBx: [0, 1, 2],
  sRGBA: [0, 1, 2, 3],
  sBGRA: [2, 1, 0, 3],
};

/** How a channel is stored: bytes of one, or of the whole pixel where channels are packed into one word. */
interface ChannelStorage {
  readonly bytes: number;
  readonly isPacked: boolean;
  /** What a kernel and a fill colour see: float for everything normalised or floating. */
  readonly kind: 'float' | 'signed' | 'unsigned';
}

const one = (bytes: number, kind: ChannelStorage['kind']): ChannelStorage => ({
  bytes,
  isPacked: false,
  kind,
});
const packed = (bytes: number): ChannelStorage => ({ bytes, isPacked: true, kind: 'float' });

const channelStorage: Readonly<Record<TypeName, ChannelStorage>> = {
  SNORM_INT8: one(1, 'float'),
  SNORM_INT16: one(2, 'float'),
  UNORM_INT8: one(1, 'float'),
  UNORM_INT16: one(2, 'float'),
  UNORM_SHORT_565: packed(2),
  UNORM_SHORT_555: packed(2),
  UNORM_INT_101010: packed(4),
  SIGNED_INT8: one(1, 'signed'),
  SIGNED_INT16: one(2, 'signed'),
  SIGNED_INT32: one(4, 'signed'),
  UNSIGNED_INT8: one(1, 'unsigned'),
  UNSIGNED_INT16: one(2, 'unsigned'),
  UNSIGNED_INT32: one(4, 'unsigned'),
  HALF_FLOAT: one(2, 'float'),
  FLOAT: one(4, 'float'),
  UNORM_INT24: packed(4),
};

const bytewise: readonly TypeName[] = ['UNORM_INT8', 'SNORM_INT8', 'SIGNED_INT8', 'UNSIGNED_INT8'];
const greys: readonly TypeName[] = [
  'UNORM_INT8',
  'UNORM_INT16',
  'SNORM_INT8',
  'SNORM_INT16',
  'HALF_FLOAT',
  'FLOAT',
];

/** Orders whose colours, but not whose alpha, lie in memory in the sRGB encoding. */
const encodedOrders: readonly OrderName[] = ['sRGB', 'sRGBx', 'sRGBA', 'sBGRA'];

/** Whether an order may have a type (OpenCL 1.2, tables 5.6 and 5.7; OpenCL 2.0, table 5.6). */
function mayHave(order: OrderName, type: TypeName): boolean {
  switch (order) {
    case 'RGB':
    case 'RGBx':
      return channelStorage[type].isPacked && type !== 'UNORM_INT24';
    case 'BGRA':
    case 'ARGB':
      return bytewise.includes(type);
    case 'DEPTH':
      return type === 'UNORM_INT16' || type === 'FLOAT';
    case 'DEPTH_STENCIL':
      return type === 'UNORM_INT24' || type === 'FLOAT';
    case 'sRGB':
    case 'sRGBx':
    case 'sRGBA':
    case 'sBGRA':
      return type === 'UNORM_INT8';
    case 'INTENSITY':
    case 'LUMINANCE':
      return greys.includes(type);
    default:
      return !channelStorage[type].isPacked;
  }
}

/** What the table knows of a format. */
export interface FormatFacts extends ImageFormat {
  /** Such as `CL_RGBA, CL_UNORM_INT8`. */
  readonly name: string;
  readonly pixelBytes: number;
  readonly components: readonly number[];
  readonly storage: ChannelStorage;
  /** Colours are stored in the sRGB encoding. */
  readonly isEncoded: boolean;
}

const table = new Map<number, FormatFacts>();
for (const [orderName, order] of Object.entries(channelOrder) as [OrderName, number][]) {
  for (const [typeName, type] of Object.entries(channelType) as [TypeName, number][]) {
    if (!mayHave(orderName, typeName)) continue;
    const storage = channelStorage[typeName];
    const components = storedComponents[orderName];
    table.set(keyOf(order, type), {
      order,
      type,
      name: `CL_${orderName}, CL_${typeName}`,
      pixelBytes: storage.isPacked ? storage.bytes : storage.bytes * components.length,
      components,
      storage,
      isEncoded: encodedOrders.includes(orderName),
    });
  }
}

function keyOf(order: number, type: number): number {
  return order * 0x10000 + type;
}

/** The facts of a format; undefined if order and type do not exist or do not go together. */
export function formatFacts(format: ImageFormat): FormatFacts | undefined {
  return table.get(keyOf(format.order, format.type));
}

/** Every format that programs can create images of, in the order of their numbers: not depths beside stencils, which OpenGL has. */
export const allFormats: readonly ImageFormat[] = [...table.values()]
  .map(({ order, type }) => ({ order, type }))
  .filter(({ order }) => order !== channelOrder.DEPTH_STENCIL);

/** cl_mem_object_type of 2D images and arrays of them, which alone may have depths. */
const depthObjects: readonly number[] = [0x10f1, 0x10f3];

const plainFormats = allFormats.filter(({ order }) => order !== channelOrder.DEPTH);

/** What Millrace's own devices support: all formats that an image of a kind (cl_mem_object_type) may have. */
export function formatsOf(objectType: number): readonly ImageFormat[] {
  return depthObjects.includes(objectType) ? allFormats : plainFormats;
}
