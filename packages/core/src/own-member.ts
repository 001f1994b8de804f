/** What an object itself has under a name that somebody else chose: every object inherits a `constructor`. */
export function ownMember<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
