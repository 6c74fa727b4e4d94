/** What reads binaries and builds programs of them: loaded for the first one. */
import { Part } from '../../parts/part.ts';

export const binaryReader = /* @__PURE__ */ new Part('the reader of binaries', () => import('./binary.ts'));
