import {
  type Graph,
  type GraphInput,
  type GraphOutput,
  type Node,
  type RepeatNode,
  refsOf,
  type Scope,
  type TaskNode,
} from "./graph.ts";
import { type AnyCollection, Collection, type Element, Handle, JsonHandle, Maybe, setMapBody } from "./handle.ts";
import { knownOnly } from "./known-only.ts";
import { NAME } from "./name.ts";
import { partsOf, type Ref } from "./ref.ts";
import { isCollection, isResult, type Result, refOf, splitsOf, whyNotResult, withRef } from "./result.ts";
import { currentLine, type SourceLine, showLine } from "./source-line.ts";
import { unionOfSplits } from "./split.ts";
import { WfError } from "./wf-error.ts";

interface OpenScope {
  readonly id: number;
  owner: string | undefined;
  readonly parent: number | undefined;
  readonly nodes: string[];
  results: Record<string, Ref>;
}

/** A node's results under the name that the results of a whole body have when it returns a single thing. */
const SINGLE = "value";

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
        this.#checkVisible(condition.ref, showLine(at));
        return result;
      }, at);
    const before = { scopes: this.#scopes.length, nodes: this.#nodes.size };
    let { scope, packed } = trace();
    for (;;) {
      const wider = new Map(
        [...splits].map(([name, set]) => [
          name,
          unionOfSplits([set, splitsOf(packed.results[name]), splitsOf(condition)]),
        ]),
      );
      if ([...wider].every(([name, set]) => set.length === splits.get(name)?.length)) break;
      splits = wider;
      this.#rollBack(before);
      ({ scope, packed } = trace());
    }
    checkNextState(start, packed, at);
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
      const packed = pack(body(scope.id), showLine(at), "the body");
      scope.results = refsOfResults(packed);
      for (const ref of Object.values(scope.results)) this.#checkVisible(ref, showLine(at));
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

function pack(result: unknown, where: string | undefined, what: string): Packed {
  if (isResult(result)) return { single: true, results: { [SINGLE]: result } };
  if (result === undefined || result === null) return { single: false, results: {} };
  if (result instanceof Promise) return notAResult(what, "a promise", where);
  if (typeof result !== "object") return notAResult(what, JSON.stringify(result) ?? typeof result, where);
  const results: Record<string, Result> = {};
  for (const [name, value] of Object.entries(result)) {
    results[name] = isResult(value) ? value : notAResult(what, `"${name}"`, where);
  }
  return { single: false, results };
}

function notAResult(what: string, name: string, where: string | undefined): never {
  throw new WfError("WF_INPUT_TYPE", `${what} returns ${name}, which is no artifact`, {
    where,
    hint: "return outputs of tasks, by name: return { report: evaluate(…).report }",
  });
}

/** Code after a condition works with either branch: both give the same names, and of two types the wider one counts. */
function joinBranches(yes: Packed, no: Packed, at: SourceLine | undefined): Packed {
  const differ = (why: string): never => {
    throw new WfError("WF_INPUT_TYPE", `the branches of when() do not give the same: ${why}`, {
      where: showLine(at),
      hint: "return the same names with artifacts of the same type from both",
    });
  };
  if (yes.single !== no.single) differ("one returns a single artifact, the other several by name");
  const results: Record<string, Result> = {};
  for (const name of new Set([...Object.keys(yes.results), ...Object.keys(no.results)])) {
    const one = yes.results[name] ?? differ(`only the second returns "${name}"`);
    const other = no.results[name] ?? differ(`only the first returns "${name}"`);
    const why = whyNotResult(other, one);
    if (why && whyNotResult(one, other)) differ(`"${name}" of the second: ${why}`);
    results[name] = why ? other : one;
  }
  return { single: yes.single, results };
}

function checkNextState(start: Readonly<Record<string, Result>>, next: Packed, at: SourceLine | undefined): void {
  for (const [name, from] of Object.entries(start)) {
    const given = next.results[name];
    if (!given) {
      throw new WfError(
        "WF_OUTPUT_UNKNOWN",
        `the body of repeat() does not return "${name}", which the next round needs`,
        {
          where: showLine(at),
          hint: `return { ${name}: … } as well`,
        },
      );
    }
    const why = whyNotResult(given, from);
    if (why) {
      throw new WfError("WF_INPUT_TYPE", `the next round of repeat() cannot take "${name}": ${why}`, {
        where: showLine(at),
        hint: "return what the first round is given: the same type under the same name",
      });
    }
  }
}

function unpack(packed: Packed, what: string, make: (name: string, template: Result) => unknown): unknown {
  if (packed.single) return make(SINGLE, packed.results[SINGLE] as Result);
  const made = Object.entries(packed.results).map(([name, template]) => [name, make(name, template)]);
  return knownOnly(Object.fromEntries(made), "WF_OUTPUT_UNKNOWN", `the body of ${what} returns no`, (name, names) =>
    name === "metrics"
      ? `it returns: ${names}. Metrics are returned by name: return { …, loss: trained.metrics.loss }`
      : `it returns: ${names}`,
  );
}

function refsOfResults(packed: Packed): Record<string, Ref> {
  return Object.fromEntries(Object.entries(packed.results).map(([name, result]) => [name, refOf(result)]));
}

function indexHandle(scope: number): JsonHandle<number, never> {
  return new JsonHandle<number, never>({ ref: "index", scope }, { kind: "json", schema: undefined }, []);
}
