export async function serveEditor(): Promise<void> {}
