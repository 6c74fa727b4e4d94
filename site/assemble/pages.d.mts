export function assemblePages(): { documents: number; samples: number };
