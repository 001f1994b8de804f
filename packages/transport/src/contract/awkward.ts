/** Names and words that a shell, a protocol or a quick regular expression would stumble over. */
export const AWKWARD_WORDS = [
  "two words",
  "it's",
  'say "x"',
  "$HOME",
  "`id`",
  "new\nline",
  "back\\slash",
  "肺 🫁 ä",
  "*?[a]",
  "~",
  "-n",
  "a;b&c|d>e",
  "!x!",
  "{a,b}",
  "#no",
  "100%s",
  " ends ",
] as const;

/** The same, as far as a file may have such a name. */
export const AWKWARD_NAMES = AWKWARD_WORDS.map((word) => word.replaceAll("/", "_"));
