/** What HTCondor says of anything: named values. Names keep the case in which they came. */
export type ClassAd = ReadonlyMap<string, ClassAdValue>;
/** Null: undefined, an error, or a kind of value that is of no use here. */
export type ClassAdValue = string | number | boolean | null | ClassAd | readonly ClassAdValue[];

export function textOf(ad: ClassAd, name: string): string | null {
  const value = ad.get(name);
  return typeof value === "string" ? value : null;
}

export function numberOf(ad: ClassAd, name: string): number | null {
  const value = ad.get(name);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function flagOf(ad: ClassAd, name: string): boolean | null {
  const value = ad.get(name);
  return typeof value === "boolean" ? value : null;
}
