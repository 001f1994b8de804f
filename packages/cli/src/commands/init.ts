export async function init(..._given: unknown[]): Promise<number> { return 0; }
