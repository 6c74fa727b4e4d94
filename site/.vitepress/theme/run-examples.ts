/**
 * Examples that run where they are read: a block of JavaScript that imports Millrace and nothing else gets a button. Its text can be
 * edited first. What it prints appears below it; an error too, with the compiler's own lines.
 */
const importLine = /^import \{([^}]*)\} from '([^']+)';?$/gm;

/** The program as the body of an async function that gets `millrace`; undefined where it needs what a page does not have. */
export function runnableBody(source: string): string | undefined {
  const imports = [...source.matchAll(importLine)];
  if (imports.length === 0 || imports.some(([, , from]) => from !== 'millrace')) return undefined;
  if (/\b(import|export|require)\b|process\.|\bcanvas\b/.test(source.replaceAll(importLine, '')))
    return undefined;
  return source.replaceAll(
    importLine,
    (_, names: string) => `const {${names.replaceAll(/ as /g, ': ')}} = millrace;`,
  );
}

type Program = (millrace: unknown, console: Pick<Console, 'log' | 'error' | 'warn'>) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Program;

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.message;
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name} [ ${[...(value as Float32Array)].join(', ')} ]`;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
};

/** Runs a program's body; `print` gets what it logs. */
async function runProgram(body: string, print: (line: string) => void): Promise<void> {
  const log = (...values: unknown[]) => print(values.map(shown).join(' '));
  const millrace = await import('millrace');
  await new AsyncFunction('millrace', 'console', body)(millrace, { log, error: log, warn: log });
}

/** Puts a button behind each block that can run and has none yet. */
export function addRunButtons(root: ParentNode): void {
  for (const block of root.querySelectorAll<HTMLElement>('.vp-doc div.language-js')) {
    const code = block.querySelector<HTMLElement>('pre code');
    if (code === null || block.dataset['run'] !== undefined || !runnableBody(code.innerText)) continue;
    block.dataset['run'] = '';
    code.contentEditable = 'plaintext-only';
    code.spellcheck = false;
    code.setAttribute('role', 'textbox');
    code.setAttribute('aria-multiline', 'true');
    code.setAttribute('aria-label', 'Example, can be edited');
    const button = Object.assign(document.createElement('button'), {
      className: 'run-example',
      textContent: 'Run',
    });
    const output = Object.assign(document.createElement('pre'), { className: 'run-output', hidden: true });
    output.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      button.disabled = true;
      output.hidden = false;
      output.textContent = '';
      const print = (line: string) => output.append(`${line}\n`);
      const body = runnableBody(code.innerText);
      try {
        if (body === undefined) throw new Error('This example imports what a page does not have.');
        await runProgram(body, print);
        if (output.textContent === '') print('It ran, and printed nothing.');
      } catch (error) {
        print(shown(error));
      }
      button.disabled = false;
    });
    block.after(button, output);
  }
}
