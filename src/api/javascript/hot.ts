/**
 * What `millrace/hot` gives: kernels whose code is replaced while an application runs, for modules with kernels on a development server
 * (docs/modules.md). Who has imported a kernel keeps the function, which runs the newest code; buffers stay as they are.
 */
import type { Kernel } from './kernel.ts';
import type { Program } from './program.ts';

/** What stays from one version of a module to the next: `import.meta.hot.data`. */
interface Kept {
  millrace?: HotProgram | undefined;
}

/** As Vite and webpack give it: what tells the server what may be replaced. */
interface Hot {
  readonly data: Kept;
}

class HotProgram {
  current: Program;
  /** What others import: the newest program, by one object. */
  readonly program: Program;
  /** Names and parameters of the kernels: if they change, those who call them must run anew. */
  readonly signature: string;
  readonly #kernels = new Map<string, Kernel>();

  constructor(current: Program) {
    this.current = current;
    this.signature = signatureOf(current);
    this.program = new Proxy(current, {
      get: (_, key) => {
        if (key === 'kernel') return (name: string) => this.kernel(name);
        const value: unknown = Reflect.get(this.current, key, this.current);
        return typeof value === 'function' ? value.bind(this.current) : value;
      },
    });
  }

  kernel(name: string): Kernel {
    let kernel = this.#kernels.get(name);
    if (!kernel) {
      const first = this.current.kernel(name);
      const call = (...all: Parameters<Kernel>) => this.current.kernel(name)(...all);
      Object.defineProperty(call, 'name', { value: name });
      kernel = Object.assign(call, {
        parameters: first.parameters,
        requiredWorkGroupSize: first.requiredWorkGroupSize,
      });
      this.#kernels.set(name, kernel);
    }
    return kernel;
  }
}

function signatureOf(program: Program): string {
  const kernels = program.kernelNames.map((name) => {
    const { parameters, requiredWorkGroupSize } = program.kernel(name);
    return [name, parameters, requiredWorkGroupSize];
  });
  return JSON.stringify(kernels);
}

/**
 * The program that a module exports: the one of its last version, with new code, if the kernels have the same parameters.
 * @param hot `import.meta.hot`; undefined where nothing is replaced
 */
export function hotProgram(program: Program, hot: Hot | undefined): Program {
  if (!hot) return program;
  const last = hot.data.millrace;
  if (last && last.signature === signatureOf(program)) {
    // Buffers belong to the program that made them, so the old ones are not released.
    last.current = program;
    return last.program;
  }
  const first = new HotProgram(program);
  hot.data.millrace = first;
  return first.program;
}
