import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { materialise, ObjectStore } from "@wf/data";
import { EXIT, MODEL_FORMS, type ModelChoice, parseModelChoice, WfError } from "@wf/protocol";
import { shortPath } from "@wf/run";
import type { ModelVersion, Store } from "@wf/store";
import type { ModelsOptions } from "../command-options.ts";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import { claimContent } from "../looking/collect-runs.ts";
import { modelLines } from "../looking/model-lines.ts";
import { listedModels, modelTable, versionTable } from "../looking/model-list.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/** Lists trained models; shows the versions of one, or one version; writes it out, tags it, forgets it. */
export async function models(
  text: string | undefined,
  options: ModelsOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  const choice = text === undefined ? undefined : parseChoice(text);
  const changes = options.tag !== undefined || options.untag !== undefined || options.remove === true;
  if (choice === undefined && (changes || options.export !== undefined)) {
    throw new WfError("WF_USAGE", "no model is named", {
      hint: `wf models NAME@3 --export FILE; a model is ${MODEL_FORMS}`,
    });
  }
  return withStore(
    options,
    async (store) => {
      if (choice === undefined) showAll(store, options, screen);
      else if (changes) change(store, choice, options, screen);
      else if (options.export !== undefined)
        await exportTo(store, store.model(choice), options.export, options, screen);
      else showOne(store, choice, options, screen);
      return EXIT.ok;
    },
    { isReadonly: !changes },
  );
}

function parseChoice(text: string): ModelChoice {
  const choice = parseModelChoice(text);
  if (choice !== undefined) return choice;
  throw new WfError("WF_USAGE", `${JSON.stringify(text)} is no name of a model`, { hint: `write ${MODEL_FORMS}` });
}

function showAll(store: Store, options: ModelsOptions, screen: Screen): void {
  const all = listedModels(store.models());
  if (options.json) for (const model of all) printJson(screen, model);
  else if (all.length > 0) printLines(screen, modelTable(all, screen));
  else {
    printLines(screen, [
      "no models yet: a workflow names one in what build() returns,",
      `  return { model: asModel("NAME", trained.model, { dice: metrics.dice }) };`,
    ]);
  }
}

function showOne(store: Store, choice: ModelChoice, options: ModelsOptions, screen: Screen): void {
  const chosen = store.model(choice);
  const versions = choice.pick === "newest" ? store.models(choice.name) : [chosen];
  if (options.json) for (const version of versions) printJson(screen, version);
  else {
    const { colours } = screen;
    const all = [
      `${colours.bold(choice.name)}  ${counted(versions.length, "version")}`,
      ...versionTable(versions, screen),
      "",
    ];
    printLines(screen, [...(versions.length > 1 ? all : []), ...modelLines(store, chosen, screen)]);
  }
}

async function exportTo(
  store: Store,
  version: ModelVersion,
  path: string,
  options: ModelsOptions,
  screen: Screen,
): Promise<void> {
  const { model, value } = version;
  const there = statSync(path, { throwIfNoEntry: false });
  if (value.kind === "directory" && there !== undefined) {
    throw new WfError("WF_USAGE", `${path} is there already, and the model is a folder`, {
      hint: "name a folder that does not exist yet",
    });
  }
  const target = resolve(value.kind === "file" && there?.isDirectory() ? join(path, value.name) : path);
  await materialise(value, target, new ObjectStore(store.folder));
  if (options.json) printJson(screen, { model, version: version.version, path: target, sizeBytes: value.size });
  else printLines(screen, [`${model}@${version.version}  ${shortPath(target)}  ${formatBytes(value.size)}`]);
}

function change(store: Store, choice: ModelChoice, { tag, untag, remove, json }: ModelsOptions, screen: Screen): void {
  const version = store.model(choice);
  const name = `${version.model}@${version.version}`;
  if (remove === true) {
    if (choice.pick === "newest") {
      throw new WfError("WF_USAGE", "which version is to be removed?", { hint: `wf models ${name} --remove` });
    }
    claimContent(store);
    store.removeModel(version);
  }
  if (tag !== undefined) store.tagModel(version, checkedTag(tag));
  if (untag !== undefined && !store.untagModel(version.model, untag)) {
    throw new WfError("WF_MODEL_NOT_FOUND", `model "${version.model}" has no tag "${untag}"`, {
      hint: `wf models ${version.model} shows its tags`,
    });
  }
  const done = { model: version.model, version: version.version, tag: tag ?? null, untag: untag ?? null };
  if (json) printJson(screen, { ...done, removed: remove === true });
  else if (remove === true)
    printLines(screen, [`${name} is forgotten; wf gc removes its content when no run needs it`]);
  else printLines(screen, [tag === undefined ? `${untag} names no version now` : `${version.model}@${tag} is ${name}`]);
}

function checkedTag(tag: string): string {
  if (parseModelChoice(`m@${tag}`)?.pick === "tag") return tag;
  throw new WfError("WF_USAGE", `${JSON.stringify(tag)} is no tag`, {
    hint: "a tag starts with a letter and has letters, digits, - and _",
  });
}
