import { shellLine } from "@wf/core";
import type { SlurmSettings } from "@wf/site";
import type { RunResult } from "@wf/transport";
import { VERSION_EXPRESSION } from "../../sites/found-python.ts";
import { type Check, fail, ok } from "../diagnosis.ts";
import { type ClusterPlace, settingOf } from "./cluster-place.ts";

const MARK = "\x1e";

/** Lines that jobs run before their tasks, in their shell. A node may differ from the login node: `--job` tries it there. */
export function checkSetup(
  place: ClusterPlace,
  scheduler: "slurm" | "htcondor",
  { setup, shell }: Pick<SlurmSettings, "setup" | "shell">,
): readonly Check[] {
  if (setup.length === 0) return [];
  return [
    {
      name: "setup",
      async examine() {
        const { transport, python, signal } = place;
        const [program = "/bin/sh", ...options] = shell.split(" ");
        const argv = [program, ...options, "-c", setupScript(setup, python)] as const;
        const result = await transport.run({ argv }, signal);
        const wrong = whatWentWrong(result, setup, python);
        if (wrong !== undefined)
          return fail(wrong, `mend ${settingOf(place, `${scheduler}.setup`)}; its shell is ${shell}`);
        return ok(setup.length === 1 ? "its line runs" : `its ${setup.length} lines run`);
      },
    },
  ];
}

/** Marks on both outputs where each line ends, and at last whether Python starts. */
function setupScript(setup: readonly string[], python: string): string {
  const steps = [...setup, shellLine([python, "-I", "-c", VERSION_EXPRESSION])];
  const mark = "wf_code=$?; printf '\\036%s\\n' $wf_code; printf '\\036%s\\n' $wf_code >&2";
  return steps.map((line) => `${line}\n${mark}`).join("\n");
}

/** A line that ends the shell leaves no mark. */
function whatWentWrong({ stdout, stderr }: RunResult, setup: readonly string[], python: string): string | undefined {
  const codes = [...stdout.matchAll(new RegExp(`${MARK}(\\d+)`, "g"))].map(([, code]) => Number(code));
  const failed = [...setup, python].findIndex((_, step) => codes[step] !== 0);
  if (failed < 0) return undefined;
  const said =
    stderr
      .split(MARK)
      [failed]?.replace(/^\d+\n/, "")
      .trim() ?? "";
  const words = said === "" ? "" : `: ${said.split("\n").at(-1)}`;
  if (failed === setup.length) return `after it ${python} does not start${words}`;
  const how = codes[failed] === undefined ? "ends the shell" : `ends with ${codes[failed]}`;
  return `\`${setup[failed]}\` ${how}${words}`;
}
