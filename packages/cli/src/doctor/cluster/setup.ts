import type { SiteLauncher } from "@wf/launcher";
import { SetupChanges, shellLine } from "@wf/protocol";
import { type SlurmSettings, setupLines } from "@wf/site";
import type { RunResult } from "@wf/transport";
import { VERSION_EXPRESSION } from "../../sites/found-python.ts";
import { type Check, fail, ok } from "../diagnosis.ts";
import { type ClusterPlace, settingOf } from "./cluster-place.ts";

const MARK = "\x1e";

/** How much of a value is shown. */
const SHOWN = 60;

/**
 * Lines that jobs run before their tasks, in their shell, and what they change for tasks. A node may differ from the
 * login node: `--job` tries it there.
 */
export function checkSetup(
  place: ClusterPlace,
  scheduler: "slurm" | "htcondor",
  { setup, shell }: Pick<SlurmSettings, "setup" | "shell">,
  launcher: SiteLauncher,
): readonly Check[] {
  if (setup.length === 0) return [];
  return [
    {
      name: "setup",
      async examine() {
        const { transport, python, signal } = place;
        const [program = "/bin/sh", ...options] = shell.split(" ");
        await launcher.deliver(signal).catch(() => undefined); // its own check says why it cannot be had
        const argv = [program, ...options, "-c", setupScript(setup, python, launcher)] as const;
        const result = await transport.run({ argv }, signal);
        const wrong = whatWentWrong(result, setup, python);
        if (wrong !== undefined)
          return fail(wrong, `mend ${settingOf(place, `${scheduler}.setup`)}; its shell is ${shell}`);
        const runs = setup.length === 1 ? "its line runs" : `its ${setup.length} lines run`;
        return ok([runs, ...changesIn(result.stdout)].join("; "));
      },
    },
  ];
}

/** Marks on both outputs where each line ends, and whether Python starts; what was changed is said after the last. */
function setupScript(setup: readonly string[], python: string, launcher: SiteLauncher): string {
  const mark = "wf_code=$?; printf '\\036%s\\n' $wf_code; printf '\\036%s\\n' $wf_code >&2";
  const marked = (line: string) => `${line}\n${mark}`;
  const version = marked(shellLine([python, "-I", "-c", VERSION_EXPRESSION]));
  return [...setupLines(setup.map(marked)), version, shellLine([...launcher.command, "setup-changes"])].join("\n");
}

/** Nothing where the launcher cannot be had. */
function changesIn(stdout: string): readonly string[] {
  const text = stdout.slice(stdout.lastIndexOf(MARK)).split("\n")[1];
  if (!text?.startsWith("{")) return [];
  const { set, unset } = SetupChanges.parse(JSON.parse(text));
  const given = Object.entries(set).flatMap(([name, value]) => (value === null ? [] : [`${name}=${cut(value)}`]));
  const kept = Object.keys(set).filter((name) => set[name] === null);
  return [
    given.length === 0 ? "nothing changes for tasks" : `tasks get ${given.join(", ")}`,
    ...(unset.length === 0 ? [] : [`no longer ${unset.join(", ")}`]),
    ...(kept.length === 0 ? [] : [`and not ${kept.join(", ")}, by name a secret: a task names it in its env`]),
  ];
}

function cut(value: string): string {
  const line = value.replace(/\s+/g, " ");
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)}…`;
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
