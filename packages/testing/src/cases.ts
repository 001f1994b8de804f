/** What a person may say of all properties, in the words of fast-check. */
export interface PropertySettings {
  readonly numRuns?: number;
  readonly seed?: number;
  readonly path?: string;
}

/** From `WF_TEST_CASES`, `WF_TEST_SEED` and `WF_TEST_PATH`; docs/testing.md says how to use them. */
export function propertySettings(env: Readonly<Record<string, string | undefined>> = process.env): PropertySettings {
  const cases = wholeNumber(env, "WF_TEST_CASES");
  const seed = wholeNumber(env, "WF_TEST_SEED");
  const path = env.WF_TEST_PATH;
  if (path && seed === undefined) throw new Error("WF_TEST_PATH needs the WF_TEST_SEED of the same failure");
  return {
    ...(cases === undefined ? {} : { numRuns: cases }),
    ...(seed === undefined ? {} : { seed }),
    ...(path ? { path } : {}),
  };
}

/** A property's own number of cases, where nobody has asked for another one. */
export function cases(numRuns: number): { readonly numRuns: number } {
  return { numRuns: propertySettings().numRuns ?? numRuns };
}

function wholeNumber(env: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!/^-?\d+$/.test(text)) throw new Error(`${name} is ${JSON.stringify(text)}, which is no whole number`);
  return Number(text);
}
