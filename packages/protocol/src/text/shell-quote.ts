/**
 * The one place where an argument becomes shell text: for a line that a person pastes, or that a POSIX shell is handed
 * where it cannot be avoided.
 * Law: the shell reads the result as exactly this one argument.
 */
export function shellQuote(argument: string): string {
  if (argument !== "" && /^[A-Za-z0-9_@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

export function shellLine(argv: readonly string[]): string {
  return argv.map(shellQuote).join(" ");
}
