import { shellLine } from "@wf/core";
import type { RunResult } from "@wf/transport";
import { VERSION_EXPRESSION } from "../../sites/found-python.ts";
import { type Check, fail, ok } from "../diagnosis.ts";
import { type ClusterPlace, settingOf } from "./cluster-place.ts";

const MARK = "\x1e";

/** Lines that jobs run before their tasks, in their shell. A node may differ from the login node: `--job` tries it there. */
export function checkSetup(place: ClusterPlace): readonly Check[] {
  const { setup, shell } = place.slurm;
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
        if (wrong !== undefined) return fail(wrong, `mend ${settingOf(place, "slurm.setup")}; its shell is ${shell}`);
        return ok(setup.length === 1 ? "its line runs" : `its ${setup.length} lines run`);
      },
    },
  ];
}

/** Says before and after each line that it is there still, and at last whether Python is. */
function setupScript(setup: readonly string[], python: string): string {
  return [
    ...setup.map((line, index) => `${line}\nprintf '\\036%s %s\\n' ${index} $?`),
    `${shellLine([python, "-I", "-c", VERSION_EXPRESSION])}\nprintf '\\036%s %s\\n' python $?`,
  ].join("\n");
}

function whatWentWrong({ stdout, stderr }: RunResult, setup: readonly string[], python: string): string | undefined {
  const codes = new Map(
    [...stdout.matchAll(new RegExp(`${MARK}(\\w+) (\\d+)`, "g"))].map(([, step, code]) => [step, Number(code)]),
  );
  const words = stderr.trim() === "" ? "" : `: ${stderr.trim().split("\n").at(-1)}`;
  const failed = setup.findIndex((_, index) => codes.get(`${index}`) !== 0);
  if (failed >= 0) {
    const code = codes.get(`${failed}`);
    const how = code === undefined ? "ends the shell" : `ends with ${code}`;
    return `\`${setup[failed]}\` ${how}${words}`;
  }
  return codes.get("python") === 0 ? undefined : `after it ${python} does not start${words}`;
}
