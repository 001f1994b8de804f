import { findProject } from "@wf/run";
import type { Store } from "@wf/store";
import type { GlobalOptions } from "../command-options.ts";
import type { CommandTree } from "../command-spec.ts";
import { type Candidate, candidatesFor, type Lookup } from "../completion/candidates.ts";
import { printable } from "../format/printable.ts";

/** A shell shows no more than a screen of them. */
const MOST_CANDIDATES = 200;

/** What completion scripts ask. It never complains: a shell has no place to show that. */
export function completeIn(tree: CommandTree) {
  return async (words: readonly string[] | undefined, options: GlobalOptions): Promise<number> => {
    const given = words ?? [""];
    const lookup = lookupIn(options.store ?? storeIn(given), given.at(-1) ?? "");
    const candidates = (await candidatesFor(tree, given, lookup)).slice(0, MOST_CANDIDATES);
    // A word that a terminal would obey, or that is several lines, cannot be offered.
    const lines = candidates
      .filter(({ word }) => printable(word) === word)
      .map(({ word, meaning }) => (meaning === "" ? word : `${word}\t${printable(meaning)}`));
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return 0;
  };
}

function storeIn(words: readonly string[]): string | undefined {
  const at = words.indexOf("--store");
  return at === -1 ? words.find((word) => word.startsWith("--store="))?.slice("--store=".length) : words[at + 1];
}

/** Loads what a question needs, and only then. Where nothing can be known, nothing is offered. */
function lookupIn(storeFlag: string | undefined, start: string): Lookup {
  const project = () => findProject(process.cwd(), storeFlag);
  const ask = async (question: (store: Store) => Candidate[]): Promise<Candidate[]> => {
    const { Store } = await import("@wf/store");
    try {
      const store = Store.open(project().storeFolder, { readonly: true });
      const answer = question(store);
      store.close();
      return answer;
    } catch {
      return [];
    }
  };
  return {
    runs: () =>
      ask((store) => store.runs({ limit: MOST_CANDIDATES }).map(({ run, status }) => ({ word: run, meaning: status }))),
    tasks: (run) =>
      ask((store) => {
        const { tasks } = store.tasks(run, { text: start, limit: MOST_CANDIDATES });
        return tasks.map(({ task, state }) => ({ word: task, meaning: state }));
      }),
    models: () =>
      ask((store) => {
        const versions = store.models();
        const names = [...new Set(versions.map(({ model }) => model))];
        return [
          ...names.map((name) => ({ word: name, meaning: "its newest version" })),
          ...versions.map(({ model, version, tags, run }) => ({
            word: `${model}@${version}`,
            meaning: [...tags, run].join(" "),
          })),
        ];
      }),
    sites: async () => (await import("../completion/site-names.ts")).siteNames(project().root),
  };
}
