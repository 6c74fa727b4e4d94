/** What the host may ask about a kernel: its parameters' names, types and layouts, and its attributes. */
import type { Attribute, FunctionDeclaration, VariableDeclaration } from '../../c/ast.ts';
import { hostLayout } from '../../c/lower/host-layout.ts';
import type { KernelFacts, ModuleLowering } from '../../c/lower/module-lowering.ts';
import type { CType, OpaqueType, QualifiedType } from '../../c/types.ts';
import { isImageTypeName } from '../../ir/images.ts';
import type { HostLayout, KernelAttributes, ParameterInfo } from '../../ir/ir.ts';

/** @param mayCutGroups whether ranges need not be whole work-groups */
export function kernelFacts(
  module: ModuleLowering,
  declaration: FunctionDeclaration,
  mayCutGroups: boolean,
): KernelFacts {
  const attributes = kernelAttributes(declaration.attributes);
  return {
    parameters: declaration.parameters.map((parameter) => parameterInfo(module, parameter)),
    attributes: mayCutGroups ? { ...attributes, mayCutGroups } : attributes,
  };
}

function parameterInfo(module: ModuleLowering, parameter: VariableDeclaration): ParameterInfo {
  const { type } = parameter.type;
  const typeQualifiers: ('const' | 'restrict' | 'volatile' | 'pipe')[] = [];
  if (type.kind === 'pointer') {
    // Constant memory counts as const (OpenCL 1.2, 5.7.3).
    if (type.pointee.isConst || type.pointee.space === 'constant') typeQualifiers.push('const');
    if (parameter.type.isRestrict) typeQualifiers.push('restrict');
    if (type.pointee.isVolatile) typeQualifiers.push('volatile');
  }
  if (type.kind === 'opaque' && type.packet) typeQualifiers.push('pipe');
  const layout = type.kind === 'pointer' ? undefined : valueLayout(module, type);
  const pointee = type.kind === 'pointer' ? hostLayout(module, type.pointee.type) : undefined;
  return {
    name: parameter.name,
    typeName: hostTypeName(parameter.type),
    typeQualifiers,
    ...(type.kind === 'opaque' ? handleFacts(module, type) : {}),
    ...(layout ? { layout } : {}),
    ...(pointee ? { pointee } : {}),
  };
}

/** Every struct that is given by value has a layout, if only as so many bytes. */
function valueLayout(module: ModuleLowering, type: CType): HostLayout | undefined {
  const layout = hostLayout(module, type);
  if (layout || type.kind !== 'record') return layout;
  return { kind: 'struct', name: type.tag ?? '', size: type.size, align: type.align, fields: [] };
}

/** What is particular to images, samplers, pipes and queues. */
function handleFacts(
  module: ModuleLowering,
  { name, access, packet }: OpaqueType,
): Pick<ParameterInfo, 'accessQualifier' | 'handle'> {
  if (packet && (access === 'read_only' || access === 'write_only')) {
    const packetBytes = module.sizeOf(packet.type);
    return { accessQualifier: access, handle: { kind: 'pipe', access, packetBytes } };
  }
  if (name === 'sampler_t') return { handle: { kind: 'sampler' } };
  if (name === 'queue_t') return { handle: { kind: 'queue' } };
  if (!isImageTypeName(name) || access === undefined) return {};
  return { accessQualifier: access, handle: { kind: 'image', type: name, access } };
}

/** A type's name as clGetKernelArgInfo gives it: `float4*`, `uint`. */
function hostTypeName(qualified: QualifiedType): string {
  const { type, alias } = qualified;
  if (alias !== undefined && type.kind !== 'pointer') return alias;
  switch (type.kind) {
    case 'arithmetic':
      return type.name;
    case 'vector':
      return `${type.element.name}${type.lanes}`;
    case 'pointer':
      return `${hostTypeName(type.pointee)}*`;
    case 'array':
      return `${hostTypeName(type.element)}[${type.length ?? ''}]`;
    case 'record':
      return `${type.union ? 'union' : 'struct'} ${type.tag ?? ''}`.trimEnd();
    case 'enum':
      return `enum ${type.tag ?? ''}`.trimEnd();
    case 'opaque':
      return type.packet ? hostTypeName(type.packet) : type.name;
    case 'atomic':
      return type.name ?? type.kind;
    default:
      return type.kind;
  }
}

/** OpenCL 1.2, 6.7.2. */
function kernelAttributes(attributes: readonly Attribute[]): KernelAttributes {
  const result: { -readonly [Key in keyof KernelAttributes]: KernelAttributes[Key] } = {};
  for (const attribute of attributes) {
    switch (plainName(attribute.name)) {
      case 'reqd_work_group_size':
        result.requiredWorkGroupSize = threeSizes(attribute);
        break;
      case 'work_group_size_hint':
        result.workGroupSizeHint = threeSizes(attribute);
        break;
      case 'vec_type_hint': {
        const [type] = attribute.arguments;
        if (typeof type === 'object') result.vectorTypeHint = hostTypeName(type);
        break;
      }
      default:
        break;
    }
  }
  return result;
}

function plainName(name: string): string {
  return name.replace(/^__(.*)__$/, '$1');
}

function threeSizes({ arguments: sizes }: Attribute): [number, number, number] {
  const size = (axis: number): number => (typeof sizes[axis] === 'bigint' ? Number(sizes[axis]) : 1);
  return [size(0), size(1), size(2)];
}
