export async function doctor(..._given: unknown[]): Promise<number> { return 0; }
