export async function graph(..._given: unknown[]): Promise<number> { return 0; }
