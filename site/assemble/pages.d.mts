export function assemblePages(folder?: string): { documents: number; samples: number };
