/** What `wf run --json` told, one event a line. */
export type Told = Readonly<Record<string, unknown>> & { readonly type: string; readonly time: number };

export function toldIn(stdout: string): readonly Told[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
