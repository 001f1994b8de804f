import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Resources, taskKey } from "@wf/core";
import { Importer, MemoryHashCache, ObjectStore } from "@wf/data";
import type { Fact } from "@wf/engine";
import { canonical, type Json, type KeyPart, type Value } from "@wf/protocol";
import { type FinalRunStatus, type Metrics, Store } from "@wf/store";
import { journalOf } from "../executing/journal.ts";
import { resolveValue } from "../planning/value-ops.ts";
import { RESOURCES, type Step } from "./facts.ts";

export interface FixtureRun {
  readonly workflow?: string;
  readonly stages: readonly string[];
  readonly params?: Json;
  readonly options?: Json;
  readonly resources?: Partial<Resources>;
  readonly inputs?: Readonly<Record<string, Value>>;
}

/** A store in a folder of its own, with runs that the engine's facts have made. */
export class StoreFixture {
  readonly folder = mkdtempSync(join(tmpdir(), "wf-cli-"));
  readonly objects = new ObjectStore(this.folder);
  readonly importer = new Importer(this.objects, new MemoryHashCache());
  readonly options = { store: this.folder, color: false } as const;
  readonly store: Store;

  constructor() {
    this.store = Store.open(this.folder);
  }

  close(): void {
    this.store.close();
    rmSync(this.folder, { recursive: true });
  }

  /** A run that is under way; nobody owns it. */
  begin({ workflow = "demo", stages, params = {}, options = {}, resources = {}, inputs = {} }: FixtureRun): string {
    const run = this.store.createRun({
      workflow: { name: workflow, file: `${workflow}.ts`, hash: "a".repeat(64), source: "" },
      params,
      inputs,
      site: "local",
      options,
      plan: {},
      git: null,
    });
    const journal = this.store.journal(run);
    stages.forEach((stage, position) => {
      journal.stage({ stage, task: stage, fits: false, resources: { ...RESOURCES, ...resources }, position });
    });
    journal.runStarted();
    return run;
  }

  note(run: string, facts: readonly Fact[]): void {
    const journal = journalOf(this.store.journal(run), this.objects);
    journal.atomically(() => {
      for (const fact of inOrderOfTables(facts)) journal.note(fact);
    });
  }

  end(run: string, status: FinalRunStatus, outputs: Readonly<Record<string, Value>> = {}, metrics: Metrics = {}): void {
    this.store.journal(run).runFinished({ status, outputs, metrics, error: null });
  }
}

/** The store wants a job before its attempts. */
function inOrderOfTables(facts: readonly Fact[]): readonly Fact[] {
  const jobs = facts.filter(({ type }) => type === "job.submitted");
  return [...jobs, ...facts.filter(({ type }) => type !== "job.submitted")];
}

export function part(name: string, content: Json): KeyPart {
  const text = canonical(content);
  return { name, hash: taskKey([{ name, hash: text }]), text };
}

/** A task whose key has these parts, and which was given these inputs and the parameters among the parts. */
export function readyWith(of: Step, parts: readonly KeyPart[], inputs: Readonly<Record<string, Value>> = {}): Fact {
  const given = Object.entries(inputs).map(([name, value]) => ({
    name,
    value: resolveValue(value),
    split: [],
    carried: false,
    origins: [],
  }));
  const params = parts.flatMap(({ name, text }) =>
    name.startsWith("param ") && text !== undefined ? [[name.slice(6), JSON.parse(text)] as const] : [],
  );
  return { type: "task.ready", ...of, key: taskKey(parts), parts, params: Object.fromEntries(params), inputs: given };
}
