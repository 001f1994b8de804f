/**
 * The fields of one line of `scontrol show … -o`: `Name=value Name=value`. A value may hold spaces (`OS=Linux 6.1 #1`),
 * so it ends where the next name begins.
 */
export function scontrolFields(line: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const starts = [...line.matchAll(/(?:^|\s)([A-Za-z][\w:/]*)=/g)];
  for (const [position, start] of starts.entries()) {
    const end = starts[position + 1]?.index ?? line.length;
    const name = start[1] as string;
    if (!fields.has(name)) fields.set(name, line.slice(start.index + start[0].length, end).trim());
  }
  return fields;
}
