import { describe, expect, it } from "vitest";
import { COMMANDS, GLOBAL_OPTIONS } from "../command-tree.ts";
import { candidatesFor, type Lookup } from "./candidates.ts";

const tree = { commands: COMMANDS, options: GLOBAL_OPTIONS };

const lookup: Lookup = {
  runs: async () => [{ word: "demo-1-abcd", meaning: "failed" }],
  tasks: async (run) => [
    { word: "train", meaning: run },
    { word: "train.0", meaning: run },
  ],
  sites: async () => [
    { word: "local", meaning: "local" },
    { word: "big", meaning: "local" },
  ],
  models: async () => [
    { word: "unet", meaning: "its newest version" },
    { word: "unet@1", meaning: "demo-1-abcd" },
  ],
};

/** The line up to the cursor; a space at its end begins a new word. */
async function complete(line: string): Promise<string[]> {
  return (await candidatesFor(tree, line.split(" ").slice(1), lookup)).map(({ word }) => word);
}

describe("candidatesFor", () => {
  it.each([
    ["a command", "wf res", ["resume"]],
    ["no hidden command", "wf compl", ["completion"]],
    [
      "flags of the command, and those of all",
      "wf cancel --",
      ["--drain", "--store", "--json", "--no-color", "--help"],
    ],
    ["short flags too", "wf run -", expect.arrayContaining(["-p", "--param", "-h"])],
    ["the value of a flag", "wf run x.ts --site ", ["local", "big"]],
    ["the value of a flag after =", "wf run x.ts --site=b", ["--site=big"]],
    ["the value of a flag after = as a word of its own", "wf run x.ts --site = b", ["big"]],
    ["choices", "wf graph x.ts --format m", ["mermaid"]],
    ["nothing for a value that nobody knows", "wf runs --limit ", []],
    ["a file", "wf run ", [":file"]],
    ["a folder", "wf init my", [":folder"]],
    ["a run", "wf resume ", ["last", "demo-1-abcd"]],
    ["a run or a task where the run may be left out", "wf logs ", ["last", "demo-1-abcd", "train", "train.0"]],
    ["a task of the run", "wf logs demo-1-abcd train.", ["train.0"]],
    ["a task behind flags that take values", "wf logs --attempt 2 last tr", ["train", "train.0"]],
    ["a run, then a task, where both may be left out", "wf show last ", ["train", "train.0"]],
    ["ever more runs", "wf compare demo-1-abcd last d", ["demo-1-abcd"]],
    ["a version of a model", "wf models unet@", ["unet@1"]],
    ["a version where bash broke the word", "wf models unet @", ["@1"]],
    ["a version where bash broke the word further on", "wf models unet @ 1", ["1"]],
    ["a shell", "wf completion z", ["zsh"]],
    ["nothing more", "wf resume last ", []],
  ])("offers %s", async (_, line, expected) => {
    expect(await complete(line)).toEqual(expected);
  });

  it("asks for the tasks of the run that stands there, else of the last one", async () => {
    const meanings = async (line: string) =>
      (await candidatesFor(tree, line.split(" "), lookup)).map(({ meaning }) => meaning);
    expect(await meanings("why demo-1-abcd train.")).toEqual(["demo-1-abcd"]);
    expect(await meanings("trace --series train.")).toEqual(["last"]);
  });
});
