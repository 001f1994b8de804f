/**
 * What somebody else wrote, for a terminal: names, logs, messages and prompts of tasks, files and machines. A terminal
 * obeys control characters, also those of the upper half of Latin-1, and shows text in an order that invisible
 * characters can turn round.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
/** Sets colours and weights; 8 would hide what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const COLOUR = /\u001b\[(?!(?:\d*;)*0*8[;m])[0-9;]*m/;
const TOKENS = new RegExp(`${COLOUR.source}|${UNSAFE.source}`, "g");

/**
 * One line that cannot move the cursor, whatever a file name, a parameter or a task's output holds.
 * Names stay whole: a newline in one is shown as `\n`.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for text of several lines, in which tabs stay, too. */
export function printableText(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

/** The same for text that may have colours. */
export function colouredText(text: string): string {
  return text.replace(TOKENS, (found) =>
    found.length > 1 || found === "\n" || found === "\t" ? found : escaped(found),
  );
}

/** The same JSON, in which no string holds such a character. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${hex(character.charCodeAt(0), 4)}`);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return ESCAPES[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
