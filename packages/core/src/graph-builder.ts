import type { ArtifactType } from "./artifact-type.ts";
import type { Graph, GraphInput, GraphOutput, Node, RepeatNode, Scope, TaskNode } from "./graph.ts";
import {
  type AnyCollection,
  Collection,
  type Element,
  Handle,
  handleOf,
  JsonHandle,
  Maybe,
  setMapBody,
} from "./handle.ts";
import { NAME } from "./name.ts";
import type { Ref } from "./ref.ts";
import { currentLine, type SourceLine, showLine } from "./source-line.ts";
import { type SplitSet, unionOfSplits } from "./split.ts";
import { WfError } from "./wf-error.ts";

interface OpenScope {
  readonly id: number;
  owner: string | undefined;
  readonly parent: number | undefined;
  readonly nodes: string[];
  results: Record<string, Ref>;
}

type Result = Handle | Maybe | AnyCollection;

/** A node's results under the name that the results of a whole body have when it returns a single thing. */
export const SINGLE = "value";

/**
 * Builds the abstract DAG while a workflow's `build` runs. The body of a map, a condition or a loop runs once, with
 * handles for what only exists later, and becomes a scope.
 */
export class GraphBuilder {
  readonly #scopes: OpenScope[] = [];
  readonly #nodes = new Map<string, Node>();
  readonly #after = new Map<string, Set<string>>();
  readonly #prefix: string[] = [];
  #scope: OpenScope;

  constructor() {
    this.#scope = this.#openScope(undefined);
  }

  get scope(): number {
    return this.#scope.id;
  }

  addTask(name: string, make: (id: string, scope: number) => TaskNode): TaskNode {
    const node = make(this.#freshId([...this.#prefix, name].join("/")), this.#scope.id);
    this.#add(node);
    return node;
  }

  addEach(over: AnyCollection, body: (item: Element, index: JsonHandle<number, never>) => unknown): unknown {
    const at = currentLine();
    const { scope, packed } = this.#trace((id) => body(over.element({ ref: "item", scope: id }), indexHandle(id)), at);
    const id = this.#idOfBody("map", scope);
    this.#add({ kind: "each", id, scope: this.#scope.id, at, after: [], over: over.ref, body: scope.id });
    return unpack(packed, (name, template) => {
      const ref: Ref = { ref: "result", node: id, name };
      return new Collection(ref, (item) => withRef(template, item) as Element);
    });
  }

  addWhen(condition: Ref, then: () => unknown, otherwise: (() => unknown) | undefined): unknown {
    const at = currentLine();
    const yes = this.#trace(then, at);
    const no = otherwise && this.#trace(otherwise, at);
    const id = this.#idOfBody("when", yes.scope);
    if (no) no.scope.owner = id;
    this.#add({
      kind: "when",
      id,
      scope: this.#scope.id,
      at,
      after: [],
      condition,
      yes: yes.scope.id,
      no: no?.scope.id,
    });
    if (no && Object.keys(no.packed.results).join() !== Object.keys(yes.packed.results).join()) {
      throw new WfError("WF_INPUT_TYPE", "both branches of when() must return the same names", { where: showLine(at) });
    }
    return unpack(yes.packed, (name, template) => {
      const ref: Ref = { ref: "result", node: id, name };
      const other = no?.packed.results[name];
      const splits = unionOfSplits([splitsOf(template), ...(other ? [splitsOf(other)] : [])]);
      const result = withRef(template, ref, splits);
      return no || result instanceof Maybe || !(result instanceof Handle) ? result : new Maybe(result);
    });
  }

  addRepeat(
    start: Readonly<Record<string, Result>>,
    atMost: number,
    body: (state: Record<string, Result>, round: JsonHandle<number, never>) => unknown,
    until: (result: never) => Handle,
  ): unknown {
    const at = currentLine();
    let condition: Handle | undefined;
    // What a round returns is the next round's state, so its splits are too: widen until nothing is added.
    let splits = new Map(Object.entries(start).map(([name, from]) => [name, splitsOf(from)]));
    const trace = () =>
      this.#trace((id) => {
        const state = Object.entries(start).map(([name, from]) => [
          name,
          withRef(from, { ref: "state", scope: id, name }, splits.get(name)),
        ]);
        const result = body(Object.fromEntries(state), indexHandle(id));
        condition = until(result as never);
        return result;
      }, at);
    const before = { scopes: this.#scopes.length, nodes: this.#nodes.size };
    let { scope, packed } = trace();
    for (;;) {
      const wider = new Map(
        [...splits].map(([name, set]) => [name, unionOfSplits([set, splitsOf(packed.results[name])])]),
      );
      if ([...wider].every(([name, set]) => set.length === splits.get(name)?.length)) break;
      splits = wider;
      this.#rollBack(before);
      ({ scope, packed } = trace());
    }
    for (const name of Object.keys(start)) {
      if (packed.results[name]) continue;
      throw new WfError(
        "WF_OUTPUT_UNKNOWN",
        `the body of repeat() does not return "${name}", which the next round needs`,
        {
          where: showLine(at),
          hint: `return { ${name}: … } as well`,
        },
      );
    }
    const id = this.#idOfBody("repeat", scope);
    const node: RepeatNode = {
      kind: "repeat",
      id,
      scope: this.#scope.id,
      at,
      after: [],
      atMost,
      start: Object.fromEntries(Object.entries(start).map(([name, from]) => [name, refOf(from)])),
      body: scope.id,
      until: (condition as Handle).ref,
    };
    this.#add(node);
    return unpack(packed, (name, template) => withRef(template, { ref: "result", node: id, name }));
  }

  /** A sub-workflow's tasks stand under its name. */
  within<T>(name: string, build: () => T): T {
    this.#prefix.push(name);
    try {
      return build();
    } finally {
      this.#prefix.pop();
    }
  }

  /** `second` starts only when `first` has ended, although no data flows. */
  order(first: string, second: string): void {
    const after = this.#after.get(second) ?? new Set();
    this.#after.set(second, after.add(first));
  }

  finish(
    workflow: string,
    params: Readonly<Record<string, unknown>>,
    inputs: Readonly<Record<string, GraphInput>>,
    returned: unknown,
  ): Graph {
    const packed = pack(returned, undefined, "build()");
    this.#scope.results = refsOfResults(packed);
    const outputs: Record<string, GraphOutput> = {};
    for (const [name, result] of Object.entries(packed.results)) {
      if (!NAME.test(name)) {
        throw new WfError("WF_DECLARATION", `"${name}" is not a name for an output`, {
          where: `workflow "${workflow}"`,
          hint: "it becomes a file's name: use letters, digits, - and _, and a letter first",
        });
      }
      const ref = refOf(result);
      const kind = ref.ref === "metric" ? "metric" : isCollection(result) ? "collection" : "artifact";
      outputs[name] = { ref, kind, splits: splitsOf(result) };
    }
    const nodes = new Map(
      [...this.#nodes].map(([id, node]) => [id, { ...node, after: [...(this.#after.get(id) ?? [])] }]),
    );
    return { workflow, params, inputs, scopes: this.#scopes as readonly Scope[], nodes, outputs };
  }

  #trace(body: (scope: number) => unknown, at: SourceLine | undefined): { scope: OpenScope; packed: Packed } {
    const outer = this.#scope;
    const scope = this.#openScope(outer.id);
    this.#scope = scope;
    try {
      const packed = pack(body(scope.id), at, "the body");
      scope.results = refsOfResults(packed);
      return { scope, packed };
    } finally {
      this.#scope = outer;
    }
  }

  #rollBack(to: { readonly scopes: number; readonly nodes: number }): void {
    for (const id of [...this.#nodes.keys()].slice(to.nodes)) this.#nodes.delete(id);
    this.#scopes.length = to.scopes;
  }

  #openScope(parent: number | undefined): OpenScope {
    const scope: OpenScope = { id: this.#scopes.length, owner: undefined, parent, nodes: [], results: {} };
    this.#scopes.push(scope);
    return scope;
  }

  #add(node: Node): void {
    this.#nodes.set(node.id, node);
    this.#scope.nodes.push(node.id);
  }

  #idOfBody(kind: string, scope: OpenScope): string {
    const id = this.#freshId(`${kind}:${scope.nodes[0] ?? "nothing"}`);
    scope.owner = id;
    return id;
  }

  #freshId(wanted: string): string {
    let id = wanted;
    for (let n = 2; this.#nodes.has(id); n++) id = `${wanted}-${n}`;
    return id;
  }
}

let current: GraphBuilder | undefined;

/** Runs a workflow's build with a builder of its own. */
export function buildWith<T>(builder: GraphBuilder, build: () => T): T {
  const outer = current;
  current = builder;
  try {
    return build();
  } finally {
    current = outer;
  }
}

export function currentBuilder(what: string): GraphBuilder {
  if (current) return current;
  throw new WfError("WF_DECLARATION", `${what} is called outside of a workflow's build()`, {
    where: showLine(currentLine()),
    hint: "call it inside build() of workflow({ … })",
  });
}

setMapBody((over, body) => currentBuilder("map()").addEach(over, body));

interface Packed {
  readonly single: boolean;
  readonly results: Readonly<Record<string, Result>>;
}

function pack(result: unknown, at: SourceLine | undefined, what: string): Packed {
  if (isResult(result)) return { single: true, results: { [SINGLE]: result } };
  if (result === undefined || result === null) return { single: false, results: {} };
  if (typeof result !== "object") return notAResult(what, String(result), at);
  const results: Record<string, Result> = {};
  for (const [name, value] of Object.entries(result)) {
    results[name] = isResult(value) ? value : notAResult(what, name, at);
  }
  return { single: false, results };
}

function notAResult(what: string, name: string, at: SourceLine | undefined): never {
  throw new WfError("WF_INPUT_TYPE", `${what} returns "${name}", which is no artifact`, {
    where: showLine(at),
    hint: "return outputs of tasks, by name: return { report: evaluate(…).report }",
  });
}

function unpack(packed: Packed, make: (name: string, template: Result) => unknown): unknown {
  if (packed.single) return make(SINGLE, packed.results[SINGLE] as Result);
  return Object.fromEntries(Object.entries(packed.results).map(([name, template]) => [name, make(name, template)]));
}

function refsOfResults(packed: Packed): Record<string, Ref> {
  return Object.fromEntries(Object.entries(packed.results).map(([name, result]) => [name, refOf(result)]));
}

function isCollection(value: unknown): value is AnyCollection {
  return value instanceof Collection;
}

function isResult(value: unknown): value is Result {
  return value instanceof Handle || value instanceof Maybe || isCollection(value);
}

export function refOf(result: Result): Ref {
  return result instanceof Maybe ? result.handle.ref : result.ref;
}

/** The same kind of thing, found elsewhere. */
function withRef(template: Result, ref: Ref, splits?: SplitSet): Result {
  if (template instanceof Maybe) return new Maybe(withRef(template.handle, ref, splits) as Handle);
  if (template instanceof Handle) return handleOf(ref, template.type as ArtifactType, splits ?? template.splits);
  return new Collection(ref, template.element);
}

export function splitsOf(value: unknown): SplitSet {
  if (value instanceof Handle) return value.splits;
  if (value instanceof Maybe) return splitsOf(value.handle);
  if (isCollection(value)) return splitsOf(value.element({ ref: "absent" }));
  if (Array.isArray(value)) return unionOfSplits(value.map(splitsOf));
  if (value && typeof value === "object") return unionOfSplits(Object.values(value).map(splitsOf));
  return [];
}

function indexHandle(scope: number): JsonHandle<number, never> {
  return new JsonHandle<number, never>({ ref: "index", scope }, { kind: "json", schema: undefined }, []);
}
