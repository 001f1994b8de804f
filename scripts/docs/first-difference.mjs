/** The first lines in which two texts differ, as a diff shows them. */
export function firstDifference(old, fresh) {
  const [before, after] = [old.split("\n"), fresh.split("\n")];
  const at = after.findIndex((line, i) => line !== before[i]);
  const line = at === -1 ? after.length : at;
  return [`@@ line ${line + 1} @@`, ...mark("-", before[line]), ...mark("+", after[line])].join("\n");
}

function mark(sign, line) {
  return line === undefined ? [] : [`${sign}${line}`];
}
