import { isJson, LAUNCHES, type Launch, NAME, WfError } from "@wf/protocol";
import { z } from "zod";
import { isSlot, type Slot } from "./artifact-type.ts";
import { type CommandTemplate, parseCommand, placeholders } from "./command.ts";
import { declareResumable } from "./declare-resumable.ts";
import { parseResources } from "./resources.ts";
import { currentLine, showLine } from "./source-line.ts";
import type { Runtime, TaskDeclaration } from "./task-declaration.ts";

interface Options {
  readonly [name: string]: unknown;
}

const PROPERTIES = [
  "name",
  "inputs",
  "outputs",
  "params",
  "command",
  "code",
  "runtime",
  "resources",
  "launch",
  "fits",
  "metrics",
  "env",
  "retries",
  "resumable",
  "cache",
  "version",
];

/** Checks what running code, which has no types, may have got wrong, and fills in the defaults. */
export function declareTask(options: Options): TaskDeclaration {
  const at = currentLine();
  const name = options.name as string;
  const where = `task "${name}"${at ? ` (${showLine(at)})` : ""}`;
  const wrong = (message: string, hint: string): never => {
    throw new WfError("WF_DECLARATION", `${message}`, { where, hint });
  };
  if (typeof name !== "string" || !NAME.test(name)) {
    wrong(
      `${JSON.stringify(name)} is not a task's name`,
      "a name starts with a letter and has letters, digits, - and _",
    );
  }
  for (const property of Object.keys(options)) {
    if (!PROPERTIES.includes(property)) {
      wrong(`a task has no property "${property}"`, `its properties are: ${PROPERTIES.join(", ")}`);
    }
  }
  const inputs = (options.inputs ?? {}) as Record<string, Slot>;
  const outputs = (options.outputs ?? {}) as Record<string, Slot>;
  const params = (options.params ?? z.object({})) as z.ZodObject;
  const code = (options.code ?? {}) as Record<string, string>;
  const metrics = (options.metrics ?? []) as string[];
  const runtime = (options.runtime ?? { kind: "command" }) as Runtime;
  if (!(params instanceof z.ZodObject)) wrong("params is not a z.object(…)", "write params: z.object({ … })");
  for (const key of [...Object.keys(inputs), ...Object.keys(outputs), ...Object.keys(code), ...metrics]) {
    if (!NAME.test(key)) wrong(`"${key}" is not a name`, "use letters, digits, - and _, and a letter first");
  }
  for (const [key, slot] of [...Object.entries(inputs), ...Object.entries(outputs)]) {
    if (!isSlot(slot))
      wrong(`"${key}" is no artifact type`, 'write file("csv"), directory(), dataset({ … }) or json(…)');
    if (slot.model)
      wrong(`"${key}" names a model`, "only an input of a workflow can: pass it on to the task from there");
  }
  if ("metrics" in outputs) wrong('an output cannot be called "metrics"', "choose another name for it");
  for (const [key, slot] of Object.entries(outputs)) {
    if (slot.mod === "many" || slot.mod === "carried") wrong(`output "${key}" is ${slot.mod}()`, "only inputs can be");
  }
  const { retries = 0, cache = "content", version = null, launch = null } = options;
  if (launch !== null && !LAUNCHES.includes(launch as Launch)) {
    wrong(
      `launch is ${JSON.stringify(launch)}`,
      `write ${LAUNCHES.map((name) => `"${name}"`).join(" or ")}, or leave it out`,
    );
  }
  if (!Number.isInteger(retries) || (retries as number) < 0) {
    wrong(`retries is ${JSON.stringify(retries)}`, "say how often a failed attempt is tried again: retries: 2");
  }
  if (cache !== "content" && cache !== "never")
    wrong(`cache is ${JSON.stringify(cache)}`, 'write "content" or "never"');
  if (!isJson(version)) wrong("version is no JSON value", "write a text or a number");
  if (runtime.kind === "fn" && typeof runtime.run !== "function") {
    wrong("the fn has no run", "write run: ({ inputs, params }) => ({ … })");
  }
  const command = runtime.kind === "fn" ? [] : commandOf(options, { inputs, outputs, params, code }, where);
  checkOutputPlaces(outputs, where);
  return {
    name,
    inputs,
    outputs,
    params,
    metrics,
    resources: parseResources((options.resources ?? {}) as never, where),
    runtime,
    launch: launch as Launch | null,
    command,
    code,
    env: (options.env ?? {}) as TaskDeclaration["env"],
    fits: options.fits === true,
    retries: retries as number,
    resumable: declareResumable(options.resumable, outputs, runtime, where),
    cache: cache as TaskDeclaration["cache"],
    version: version as TaskDeclaration["version"],
    at,
  };
}

function commandOf(
  options: Options,
  declared: { inputs: object; outputs: object; params: z.ZodObject; code: object },
  where: string,
): CommandTemplate {
  const command = options.command as ((names: Record<string, unknown>) => (string | number)[]) | undefined;
  if (typeof command !== "function") {
    throw new WfError("WF_DECLARATION", "the task has no command", {
      where,
      hint: 'write command: ({ inputs, outputs }) => ["program", inputs.x, outputs.y]',
    });
  }
  return parseCommand(
    command({
      inputs: placeholders("inputs", Object.keys(declared.inputs), where),
      outputs: placeholders("outputs", Object.keys(declared.outputs), where),
      params: placeholders("params", Object.keys(declared.params.shape), where),
      code: placeholders("code", Object.keys(declared.code), where),
    }),
    where,
  );
}

/** Where a task writes an output, relative to its sandbox. */
export function outputPath(name: string, slot: Slot): string {
  if (slot.path !== undefined) return slot.path;
  if (slot.type.kind === "json") return `out/${name}.json`;
  return slot.type.kind === "file" && slot.type.format ? `out/${name}.${slot.type.format}` : `out/${name}`;
}

function checkOutputPlaces(outputs: Readonly<Record<string, Slot>>, where: string): void {
  const places = Object.entries(outputs).map(([name, slot]) => ({ name, path: outputPath(name, slot) }));
  for (const { name, path } of places) {
    const parts = path.split("/");
    if (path === "" || path.startsWith("/") || parts.includes("..") || parts.includes(".") || parts.includes("")) {
      throw new WfError("WF_PATH_ESCAPE", `output "${name}" would lie at "${path}", outside of the task's folder`, {
        where,
        hint: "give a relative path without `.` and `..`, such as results/model.pt",
      });
    }
    if (["in", "tmp", "code", "task.json"].includes(parts[0] as string)) {
      throw new WfError("WF_DECLARATION", `output "${name}" would lie in "${parts[0]}", which wf itself uses`, {
        where,
        hint: "choose another path",
      });
    }
  }
  for (const [i, one] of places.entries()) {
    for (const two of places.slice(i + 1)) {
      if (one.path === two.path || one.path.startsWith(`${two.path}/`) || two.path.startsWith(`${one.path}/`)) {
        throw new WfError(
          "WF_TWO_PRODUCERS",
          `outputs "${one.name}" and "${two.name}" claim the same place: ${one.path}, ${two.path}`,
          {
            where,
            hint: "give one of them another path",
          },
        );
      }
    }
  }
}
