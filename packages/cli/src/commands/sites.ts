export async function sites(..._given: unknown[]): Promise<number> { return 0; }
