import { NAME, WfError } from "@wf/protocol";
import { modelMarkOf } from "./as-model.ts";
import {
  type Graph,
  type GraphInput,
  type GraphModel,
  type GraphOutput,
  type Node,
  type RepeatNode,
  refsOf,
  type Scope,
  type TaskNode,
} from "./graph.ts";
import { type AnyCollection, Collection, type Element, Handle, JsonHandle, Maybe, setMapBody } from "./handle.ts";
import { checkNextState, joinBranches, type Packed, pack, refsOfResults, unpack } from "./packed.ts";
import { partsOf, type Ref } from "./ref.ts";
import { isCollection, type Result, refOf, splitsOf, withRef } from "./result.ts";
import { currentLine, type SourceLine, showLine } from "./source-line.ts";
import { type SplitSet, unionOfSplits } from "./split.ts";

interface OpenScope {
  readonly id: number;
  owner: string | undefined;
  readonly parent: number | undefined;
  readonly nodes: string[];
  results: Record<string, Ref>;
}

interface Traced {
  readonly scope: OpenScope;
  readonly packed: Packed;
}

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
    return unpack(packed, "map()", (name, template) => {
      const ref: Ref = { ref: "result", node: id, name };
      return new Collection(ref, (item) => withRef(template, item) as Element);
    });
  }

  /** Whoever chooses by test data has seen test data: the splits of a condition are those of its results too. */
  addWhen(condition: Handle, then: () => unknown, otherwise: (() => unknown) | undefined): unknown {
    const at = currentLine();
    const yes = this.#trace(then, at);
    const no = otherwise && this.#trace(otherwise, at);
    const joined = no ? joinBranches(yes.packed, no.packed, at) : yes.packed;
    const id = this.#idOfBody("when", yes.scope);
    if (no) no.scope.owner = id;
    this.#add({
      kind: "when",
      id,
      scope: this.#scope.id,
      at,
      after: [],
      condition: condition.ref,
      yes: yes.scope.id,
      no: no?.scope.id,
    });
    return unpack(joined, "when()", (name, template) => {
      const ref: Ref = { ref: "result", node: id, name };
      const branches = [splitsOf(yes.packed.results[name]), splitsOf(no?.packed.results[name])];
      const splits = unionOfSplits([...branches, condition.splits]);
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
    const names = Object.keys(start);
    const { scope, packed } = this.#traceUntilSplitsRest(
      new Map(Object.entries(start).map(([name, from]) => [name, splitsOf(from)])),
      (splits) =>
        this.#trace((id) => {
          const state = names.map((name) => [
            name,
            withRef(start[name] as Result, { ref: "state", scope: id, name }, splits.get(name)),
          ]);
          const result = body(Object.fromEntries(state), indexHandle(id));
          condition = until(result as never);
          this.#checkVisible(condition.ref, showLine(at));
          return result;
        }, at),
      (name, { results }) => unionOfSplits([splitsOf(results[name]), splitsOf(condition)]),
    );
    checkNextState("repeat()", start, packed, at);
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
    return unpack(packed, "repeat()", (name, template) => {
      const splits = unionOfSplits([splitsOf(template), splitsOf(condition)]);
      return withRef(template, { ref: "result", node: id, name }, splits);
    });
  }

  addSeries(
    count: number,
    window: number,
    gives: Readonly<Record<string, Result>>,
    body: (earlier: Record<string, AnyCollection>, round: JsonHandle<number, never>) => unknown,
  ): unknown {
    const at = currentLine();
    const names = Object.keys(gives);
    const { scope, packed } = this.#traceUntilSplitsRest(
      new Map(names.map((name) => [name, []])),
      (splits) =>
        this.#trace((id) => {
          const earlier = names.map((name) => [
            name,
            new Collection(
              { ref: "state", scope: id, name },
              (item) => withRef(gives[name] as Result, item, splits.get(name)) as Element,
            ),
          ]);
          return body(Object.fromEntries(earlier), indexHandle(id));
        }, at),
      (name, { results }) => splitsOf(results[name]),
    );
    checkNextState("series()", gives, packed, at);
    const id = this.#idOfBody("series", scope);
    this.#add({ kind: "series", id, scope: this.#scope.id, at, after: [], count, window, body: scope.id });
    return unpack(packed, "series()", (name, template) => {
      const ref: Ref = { ref: "result", node: id, name };
      return new Collection(ref, (item) => withRef(template, item) as Element);
    });
  }

  addTolerate(body: () => unknown): unknown {
    const at = currentLine();
    const { scope, packed } = this.#trace(body, at);
    const id = this.#idOfBody("tolerate", scope);
    this.#add({ kind: "tolerate", id, scope: this.#scope.id, at, after: [], body: scope.id });
    return unpack(packed, "tolerate()", (name, template) => {
      const result = withRef(template, { ref: "result", node: id, name });
      return result instanceof Handle ? new Maybe(result) : result;
    });
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
  order(first: string, second: string, where: string | undefined): void {
    const { scope } = this.#nodes.get(second) as Node;
    this.#checkVisible({ ref: "output", node: first, name: "" }, where, scope);
    const after = this.#after.get(second) ?? new Set();
    this.#after.set(second, after.add(first));
  }

  finish(
    workflow: string,
    params: Readonly<Record<string, unknown>>,
    inputs: Readonly<Record<string, GraphInput>>,
    returned: unknown,
  ): Graph {
    const packed = pack(returned, `workflow "${workflow}"`, "build()");
    this.#scope.results = refsOfResults(packed);
    for (const ref of Object.values(this.#scope.results)) this.#checkVisible(ref, `workflow "${workflow}"`);
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
      const model = this.#modelOf(name, result, outputs, `workflow "${workflow}"`);
      outputs[name] = { ref, kind, splits: splitsOf(result), ...(model === undefined ? {} : { model }) };
    }
    const nodes = new Map(
      [...this.#nodes].map(([id, node]) => [id, { ...node, after: [...(this.#after.get(id) ?? [])] }]),
    );
    return { workflow, params, inputs, scopes: this.#scopes as readonly Scope[], nodes, outputs };
  }

  /** Law: a run makes at most one version of a model. */
  #modelOf(
    output: string,
    result: Result,
    earlier: Readonly<Record<string, GraphOutput>>,
    where: string,
  ): GraphModel | undefined {
    const mark = modelMarkOf(result);
    if (mark === undefined) return undefined;
    const twin = Object.entries(earlier).find(([, { model }]) => model?.name === mark.name)?.[0];
    if (twin !== undefined) {
      throw new WfError("WF_DECLARATION", `outputs "${twin}" and "${output}" are both model "${mark.name}"`, {
        where,
        hint: "give one of them another name",
      });
    }
    const metrics = Object.entries(mark.metrics).map(([name, { ref, splits }]) => {
      this.#checkVisible(ref, where);
      return [name, { ref, splits }];
    });
    return { name: mark.name, metrics: Object.fromEntries(metrics) };
  }

  #trace(body: (scope: number) => unknown, at: SourceLine | undefined): Traced {
    const outer = this.#scope;
    const scope = this.#openScope(outer.id);
    this.#scope = scope;
    try {
      const packed = pack(body(scope.id), showLine(at), "the body");
      refuseModels(packed, at);
      scope.results = refsOfResults(packed);
      for (const ref of Object.values(scope.results)) this.#checkVisible(ref, showLine(at));
      return { scope, packed };
    } finally {
      this.#scope = outer;
    }
  }

  /** What a round returns is given to later ones, so its splits are too: traced again until none is added. */
  #traceUntilSplitsRest(
    start: ReadonlyMap<string, SplitSet>,
    trace: (splits: ReadonlyMap<string, SplitSet>) => Traced,
    added: (name: string, packed: Packed) => SplitSet,
  ): Traced {
    const before = { scopes: this.#scopes.length, nodes: this.#nodes.size };
    let splits = start;
    for (;;) {
      const traced = trace(splits);
      const wider = new Map([...splits].map(([name, set]) => [name, unionOfSplits([set, added(name, traced.packed)])]));
      if ([...wider].every(([name, set]) => set.length === splits.get(name)?.length)) return traced;
      splits = wider;
      this.#rollBack(before);
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
    const at = showLine(node.at);
    const where = node.kind === "task" ? `task "${node.id}"${at ? ` (${at})` : ""}` : at;
    for (const ref of refsOf(node)) this.#checkVisible(ref, where);
    this.#nodes.set(node.id, node);
    this.#scope.nodes.push(node.id);
  }

  /** What a body makes is there only inside of it: outside there is one of it for every item, round or branch. */
  #checkVisible(ref: Ref, where: string | undefined, from = this.#scope.id): void {
    const home = "node" in ref ? this.#nodes.get(ref.node)?.scope : "scope" in ref ? ref.scope : 0;
    let scope: number | undefined = from;
    while (scope !== undefined && scope !== home) scope = this.#scopes[scope]?.parent;
    if (scope === undefined) {
      const what = "node" in ref ? `"${ref.node}"` : "an item of a map or a state of a loop";
      throw new WfError("WF_INPUT_TYPE", `${what} is used outside of the body that it belongs to`, {
        where,
        hint: "return it from the body and use what map(), when() or repeat() gives",
      });
    }
    for (const part of partsOf(ref)) this.#checkVisible(part, where, from);
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

/** There would be one for every item, round or branch, and no order among them. */
function refuseModels({ results }: Packed, at: SourceLine | undefined): void {
  const mark = Object.values(results).map(modelMarkOf).find(Boolean);
  if (mark === undefined) return;
  throw new WfError("WF_DECLARATION", `model "${mark.name}" is returned from a body, not from build()`, {
    where: showLine(at),
    hint: "return the artifact from the body, and name the one that you choose where build() returns it",
  });
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

export function isBuilding(): boolean {
  return current !== undefined;
}

export function currentBuilder(what: string): GraphBuilder {
  if (current) return current;
  throw new WfError("WF_DECLARATION", `${what} is called outside of a workflow's build()`, {
    where: showLine(currentLine()),
    hint: "call it inside build() of workflow({ … })",
  });
}

setMapBody((over, body) => currentBuilder("map()").addEach(over, body));

function indexHandle(scope: number): JsonHandle<number, never> {
  return new JsonHandle<number, never>({ ref: "index", scope }, { kind: "json", schema: undefined }, []);
}
