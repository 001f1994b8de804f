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
  const current = words.at(-1) ?? "";
  const all = await allCandidates(tree, words.slice(0, -1), current, lookup);
  return all.filter(({ word }) => word.startsWith(":") || word.startsWith(current));
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
