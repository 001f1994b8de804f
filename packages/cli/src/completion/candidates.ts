import type { ArgumentSpec, CommandSpec, CommandTree, Completion, OptionSpec } from "../command-spec.ts";

/** A word that may stand there, and what it means. `:file` and `:folder` mean any. */
export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** What only the project and its store know. Each is asked only if it is needed. */
export interface Lookup {
  runs(): Promise<readonly Candidate[]>;
  tasks(run: string): Promise<readonly Candidate[]>;
  sites(): Promise<readonly Candidate[]>;
  models(): Promise<readonly Candidate[]>;
}

/** What may stand in place of the last word. */
export async function candidatesFor(tree: CommandTree, words: readonly string[], lookup: Lookup): Promise<Candidate[]> {
  const { words: whole, cut } = wholeWords(words);
  const current = whole.at(-1) ?? "";
  const all = await allCandidates(tree, whole.slice(0, -1), current, lookup);
  const fitting = all.filter(({ word }) => word.startsWith(":") || word.startsWith(current));
  return fitting.map(({ word, meaning }) => ({ word: word.slice(cut), meaning }));
}

/** Bash breaks `unet@2` before and behind the `@`, and replaces the last piece only: `cut` is the length of the others. */
function wholeWords(words: readonly string[]): { readonly words: readonly string[]; readonly cut: number } {
  const at = words.lastIndexOf("@");
  const model = words[at - 1];
  if (model === undefined || at < words.length - 2) return { words, cut: 0 };
  const last = words.slice(at - 1).join("");
  const cut = at === words.length - 1 ? model.length : model.length + 1;
  return { words: [...words.slice(0, at - 1), last], cut };
}

async function allCandidates(
  tree: CommandTree,
  before: readonly string[],
  current: string,
  lookup: Lookup,
): Promise<Candidate[]> {
  const { command, args, awaiting } = read(tree, before);
  const options = [...(command?.options ?? []), ...tree.options];
  if (awaiting) return expand(awaiting.choices ?? awaiting.completes, args, lookup);
  const [, flag, start] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined && start !== undefined) {
    const option = options.find((spec) => flagsOf(spec).includes(flag));
    const values = option ? await expand(option.choices ?? option.completes, args, lookup) : [];
    return values.map(({ word, meaning }) => ({ word: `${flag}=${word}`, meaning }));
  }
  if (current.startsWith("-")) {
    return [...options, HELP].flatMap((spec) => flagsOf(spec).map((word) => ({ word, meaning: spec.summary })));
  }
  if (!command) {
    return tree.commands
      .filter(({ isHidden }) => isHidden !== true)
      .map(({ name, summary }) => ({
        word: name,
        meaning: summary,
      }));
  }
  const open = openArguments(command, args.length).map(({ completes }) => expand(completes, args, lookup));
  return (await Promise.all(open)).flat();
}

const HELP: OptionSpec = { flags: "-h, --help", summary: "print help" };

interface Read {
  readonly command: CommandSpec | undefined;
  readonly args: readonly string[];
  /** The option whose value comes next. */
  readonly awaiting: OptionSpec | undefined;
}

function read(tree: CommandTree, words: readonly string[]): Read {
  let command: CommandSpec | undefined;
  let awaiting: OptionSpec | undefined;
  const args: string[] = [];
  for (const word of words) {
    // Some shells hand over `--site=x` as three words.
    if (awaiting) awaiting = word === "=" ? awaiting : undefined;
    else if (word.startsWith("-")) {
      const spec = [...(command?.options ?? []), ...tree.options].find((option) => flagsOf(option).includes(word));
      awaiting = spec && takesValue(spec) ? spec : undefined;
    } else if (command) args.push(word);
    else command = tree.commands.find(({ name }) => name === word);
  }
  return { command, args, awaiting };
}

/** The arguments that the next word can be: after nothing, `logs [RUN] TASK` takes a run or a task. */
function openArguments({ args }: CommandSpec, given: number): ArgumentSpec[] {
  const last = args.at(-1);
  const at = args[given] ?? (last?.name.endsWith("...") ? last : undefined);
  if (!at) return [];
  const next = args[given + 1];
  return at.isOptional === true && next && next.isOptional !== true ? [at, next] : [at];
}

async function expand(
  completes: Completion | undefined,
  args: readonly string[],
  lookup: Lookup,
): Promise<Candidate[]> {
  switch (completes) {
    case undefined:
      return [];
    case "file":
    case "folder":
      return [{ word: `:${completes}`, meaning: "" }];
    case "run":
      return [{ word: "last", meaning: "the newest run" }, ...(await lookup.runs())];
    case "task":
      return [...(await lookup.tasks(args[0] ?? "last"))];
    case "site":
      return [...(await lookup.sites())];
    case "model":
      return [...(await lookup.models())];
    default:
      return completes.map((word) => ({ word, meaning: "" }));
  }
}

function flagsOf({ flags }: OptionSpec): string[] {
  return flags.split(/[ ,]+/).filter((part) => part.startsWith("-"));
}

function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes("<");
}
