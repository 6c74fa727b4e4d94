/** `1 argument`, `3 arguments`: for messages of the command and of the playground, which import only what users can (not src/source). */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
