import { type Preparation, prepareFile } from "@wf/run";
import type { InputOptions } from "../command-options.ts";
import { givenParams, nameAndText } from "./given-params.ts";

/** Loads a workflow's file and prepares it as the command line says. */
export async function prepareWords(
  file: string,
  options: InputOptions,
  note: (text: string) => void,
): Promise<Preparation> {
  const { site, cluster: tasksPerJob, store } = options;
  const inputs = new Map(options.input.map((word) => nameAndText(word, "--input", "images=data/images")));
  return await prepareFile(
    file,
    { params: (workflow) => givenParams(options, workflow), inputs, site, tasksPerJob, store },
    note,
  );
}
