import {
  type EachNode,
  type Graph,
  type Node,
  nodesOf,
  type Ref,
  type RepeatNode,
  refsOf,
  type Scope,
  showLine,
  type TaskNode,
  WfError,
  type WhenNode,
} from "@wf/core";
import { isDerived, originsOf } from "./origins.ts";
import { resolveRef } from "./resolve-ref.ts";
import { listOf, type Resolved, type ResolvedList, type ValueOps } from "./resolved.ts";
import type { Cause, NodeEnd, ScopeInstance } from "./scope-instance.ts";

/** One execution of a task node: its stage and the place of each enclosing fan-out. */
export interface TaskInstance {
  /** `preprocess.12`: unique in the run, the same in every run of the same graph and data. */
  readonly name: string;
  readonly node: TaskNode;
  readonly index: readonly number[];
  readonly inputs: { readonly [name: string]: Resolved };
  readonly params: { readonly [name: string]: Resolved };
  readonly scope: ScopeInstance;
}

export interface UnfoldingEvents {
  /** A fan-out whose size is known now, a branch that was chosen, a round that begins. */
  expanded(expansion: {
    readonly node: Node;
    readonly index: readonly number[];
    readonly count: number;
    readonly over: Resolved;
  }): void;
  /** A fan-out or branch that only a run can expand. */
  unexpandable(point: { readonly node: Node; readonly index: readonly number[]; readonly because: string }): void;
  /** A node that cannot be expanded or started: a mistake that only showed with the data. */
  broken(mistake: { readonly node: Node; readonly index: readonly number[]; readonly error: WfError }): void;
  /** A task that cannot run since something that it needs has failed. */
  skipped(task: {
    readonly name: string;
    readonly node: TaskNode;
    readonly index: readonly number[];
    readonly cause: Cause;
  }): void;
}

/** How urgent a node is: the length of the longest path from it to the end. */
export type Rank = (node: string) => number;

interface OpenExpansion {
  readonly node: EachNode;
  readonly parent: ScopeInstance;
  readonly items: ResolvedList;
  readonly results: Map<number, NodeEnd>;
  next: number;
  ended: number;
}

/**
 * Grows the graph: which tasks are ready, given what has ended. It is deterministic, so a resumed run unfolds the
 * same way, and lazy: a fan-out's items come to life one by one as `next` asks for work, and are forgotten when
 * they have ended.
 */
export class Unfolding {
  readonly #graph: Graph;
  readonly #inputs: ReadonlyMap<string, Resolved>;
  readonly #ops: ValueOps;
  readonly #events: UnfoldingEvents;
  readonly #rank: Rank;
  readonly #dependencies: ReadonlyMap<string, readonly string[]>;
  readonly #ready: TaskInstance[] = [];
  #readyHead = 0;
  readonly #open: OpenExpansion[] = [];
  readonly root: ScopeInstance;
  readonly #agenda: (() => void)[] = [];
  #working = false;
  #finished = false;

  constructor(
    graph: Graph,
    inputs: ReadonlyMap<string, Resolved>,
    ops: ValueOps,
    events: UnfoldingEvents,
    rank: Rank = () => 0,
  ) {
    this.#graph = graph;
    this.#rank = rank;
    this.#inputs = inputs;
    this.#ops = ops;
    this.#events = events;
    this.#dependencies = new Map([...graph.nodes.values()].map((node) => [node.id, dependenciesOf(node)]));
    this.root = this.#enter(graph.scopes[0] as Scope, undefined, [], undefined, undefined, () => {
      this.#finished = true;
    });
  }

  /** Everything has ended. */
  get finished(): boolean {
    return this.#finished;
  }

  /** The next ready task, or undefined when what runs must end first. */
  next(): TaskInstance | undefined {
    for (;;) {
      const instance = this.#ready[this.#readyHead];
      if (instance) {
        this.#readyHead++;
        if (this.#readyHead > 1024 && this.#readyHead * 2 > this.#ready.length) {
          this.#ready.splice(0, this.#readyHead);
          this.#readyHead = 0;
        }
        return instance;
      }
      const expansion = this.#open.at(-1);
      if (!expansion) return undefined;
      this.#enterNextItem(expansion);
    }
  }

  succeeded(
    task: TaskInstance,
    values: { readonly [name: string]: Resolved },
    metrics?: { readonly [name: string]: Resolved },
  ): void {
    this.#end(task.scope, task.node, { ok: true, values, metrics });
  }

  failed(task: TaskInstance, message: string): void {
    this.#end(task.scope, task.node, { ok: false, cause: { task: task.name, message } });
  }

  resolve(ref: Ref, from: ScopeInstance = this.root): Resolved {
    return resolveRef(ref, from, this.#inputs, this.#ops);
  }

  /** What an input of a task was cut or put together from. */
  originsOf(task: TaskInstance, ref: Ref): Resolved[] {
    return isDerived(ref) ? originsOf(this.#graph, ref, task.scope, (part, from) => this.resolve(part, from)) : [];
  }

  #enter(
    scope: Scope,
    parent: ScopeInstance | undefined,
    index: readonly number[],
    item: Resolved | undefined,
    state: ReadonlyMap<string, Resolved> | undefined,
    onEnd: (instance: ScopeInstance) => void,
  ): ScopeInstance {
    const instance: ScopeInstance = {
      scope,
      parent,
      index,
      item,
      state,
      ended: new Map(),
      waiting: new Map(),
      remaining: scope.nodes.length,
      onEnd,
    };
    if (instance.remaining === 0) this.#later(() => onEnd(instance));
    for (const id of scope.nodes) this.#await(instance, this.#graph.nodes.get(id) as Node);
    return instance;
  }

  #await(instance: ScopeInstance, node: Node): void {
    let missing = 0;
    const arrived = () => {
      if (--missing === 0) this.#later(() => this.#begin(instance, node));
    };
    for (const id of this.#dependencies.get(node.id) as readonly string[]) {
      const owner = this.#ownerOf(instance, id);
      if (owner.ended.has(id)) continue;
      missing++;
      const waiting = owner.waiting.get(id);
      if (waiting) waiting.push(arrived);
      else owner.waiting.set(id, [arrived]);
    }
    if (missing === 0) this.#later(() => this.#begin(instance, node));
  }

  /** A long chain of nodes that end at once must not become a deep recursion. */
  #later(work: () => void): void {
    this.#agenda.push(work);
    if (this.#working) return;
    this.#working = true;
    for (let i = 0; i < this.#agenda.length; i++) (this.#agenda[i] as () => void)();
    this.#agenda.length = 0;
    this.#working = false;
  }

  #ownerOf(from: ScopeInstance, id: string): ScopeInstance {
    const { scope } = this.#graph.nodes.get(id) as Node;
    for (let instance: ScopeInstance | undefined = from; instance; instance = instance.parent) {
      if (instance.scope.id === scope) return instance;
    }
    throw new WfError("WF_INPUT_TYPE", `"${id}" is used outside of the body that it belongs to`, {
      where: showLine((this.#graph.nodes.get(id) as Node).at),
      hint: "return it from the body and use the collection that map() gives",
    });
  }

  #begin(instance: ScopeInstance, node: Node): void {
    const cause = this.#failedDependency(instance, node);
    if (cause) {
      this.#skip(instance, node, cause);
      return;
    }
    try {
      this.#start(instance, node);
    } catch (error) {
      if (!(error instanceof WfError)) throw error;
      this.#events.broken({ node, index: instance.index, error });
      this.#end(instance, node, {
        ok: false,
        cause: { task: taskName(node.id, instance.index), message: error.message },
      });
    }
  }

  #start(instance: ScopeInstance, node: Node): void {
    switch (node.kind) {
      case "task":
        this.#ready.push(this.#instanceOf(instance, node));
        return;
      case "each":
        this.#beginEach(instance, node);
        return;
      case "when":
        this.#beginWhen(instance, node);
        return;
      case "repeat":
        this.#beginRepeat(instance, node);
        return;
    }
  }

  #failedDependency(instance: ScopeInstance, node: Node): Cause | undefined {
    for (const id of this.#dependencies.get(node.id) as readonly string[]) {
      const end = this.#ownerOf(instance, id).ended.get(id);
      if (end && !end.ok) return end.cause;
    }
    return undefined;
  }

  #skip(instance: ScopeInstance, node: Node, cause: Cause): void {
    if (node.kind === "task") {
      this.#events.skipped({ name: taskName(node.id, instance.index), node, index: instance.index, cause });
    }
    this.#end(instance, node, { ok: false, cause });
  }

  #instanceOf(scope: ScopeInstance, node: TaskNode): TaskInstance {
    const inputs: Record<string, Resolved> = {};
    for (const name in node.inputs) inputs[name] = this.resolve((node.inputs[name] as { ref: Ref }).ref, scope);
    const params: Record<string, Resolved> = {};
    for (const name in node.params) params[name] = this.resolve(node.params[name] as Ref, scope);
    return { name: taskName(node.id, scope.index), node, index: scope.index, inputs, params, scope };
  }

  #beginEach(instance: ScopeInstance, node: EachNode): void {
    const over = this.resolve(node.over, instance);
    if (over.kind === "unknown") {
      this.#unexpandable(instance, node, over.because);
      return;
    }
    const items = over.kind === "list" ? over : listOf([]);
    this.#events.expanded({ node, index: instance.index, count: items.count, over });
    const expansion: OpenExpansion = { node, parent: instance, items, results: new Map(), next: 0, ended: 0 };
    if (items.count === 0) this.#endEach(expansion);
    else this.#openInOrder(expansion);
  }

  /** The most urgent comes last and is taken first; of equals the newest, so that inner fan-outs end before outer ones go on. */
  #openInOrder(expansion: OpenExpansion): void {
    const rank = this.#rank(expansion.node.id);
    const after = this.#open.findIndex((other) => this.#rank(other.node.id) > rank);
    this.#open.splice(after === -1 ? this.#open.length : after, 0, expansion);
  }

  #enterNextItem(expansion: OpenExpansion): void {
    const index = expansion.next++;
    if (expansion.next >= expansion.items.count) this.#open.splice(this.#open.indexOf(expansion), 1);
    const scope = this.#graph.scopes[expansion.node.body] as Scope;
    this.#enter(
      scope,
      expansion.parent,
      [...expansion.parent.index, index],
      expansion.items.at(index),
      undefined,
      (item) => {
        expansion.results.set(index, this.#resultsOf(item));
        if (++expansion.ended === expansion.items.count) this.#endEach(expansion);
      },
    );
  }

  #endEach(expansion: OpenExpansion): void {
    const { node, parent, results } = expansion;
    const values: Record<string, Resolved> = {};
    for (const end of results.values()) {
      if (end.ok) continue;
      this.#end(parent, node, end);
      return;
    }
    const names = Object.keys((this.#graph.scopes[node.body] as Scope).results);
    for (const name of names) {
      const items: Resolved[] = new Array(results.size);
      for (const [index, end] of results)
        items[index] = (end as { values: { [name: string]: Resolved } }).values[name] as Resolved;
      values[name] = listOf(items);
    }
    this.#end(parent, node, { ok: true, values });
  }

  #beginWhen(instance: ScopeInstance, node: WhenNode): void {
    const condition = this.resolve(node.condition, instance);
    if (condition.kind === "unknown") {
      this.#unexpandable(instance, node, condition.because);
      return;
    }
    const holds = condition.kind === "json" && condition.value === true;
    const body = holds ? node.yes : node.no;
    this.#events.expanded({ node, index: instance.index, count: holds ? 1 : 0, over: condition });
    if (body === undefined) {
      const names = Object.keys((this.#graph.scopes[node.yes] as Scope).results);
      this.#end(instance, node, {
        ok: true,
        values: Object.fromEntries(names.map((name) => [name, { kind: "absent" }])),
      });
      return;
    }
    this.#enter(this.#graph.scopes[body] as Scope, instance, instance.index, undefined, undefined, (branch) => {
      this.#end(instance, node, this.#resultsOf(branch));
    });
  }

  #beginRepeat(instance: ScopeInstance, node: RepeatNode): void {
    const state = new Map(Object.entries(node.start).map(([name, ref]) => [name, this.resolve(ref, instance)]));
    this.#beginRound(instance, node, 0, state);
  }

  #beginRound(instance: ScopeInstance, node: RepeatNode, round: number, state: ReadonlyMap<string, Resolved>): void {
    this.#events.expanded({ node, index: [...instance.index, round], count: 1, over: { kind: "json", value: round } });
    const scope = this.#graph.scopes[node.body] as Scope;
    this.#enter(scope, instance, [...instance.index, round], undefined, state, (body) => {
      const end = this.#resultsOf(body);
      if (!end.ok) {
        this.#end(instance, node, end);
        return;
      }
      const until = this.resolve(node.until, body);
      if (until.kind === "unknown") {
        this.#unexpandable(instance, node, until.because);
        return;
      }
      const enough = until.kind === "json" && until.value === true;
      if (enough || round + 1 >= node.atMost) this.#end(instance, node, end);
      else
        this.#beginRound(
          instance,
          node,
          round + 1,
          new Map([...state.keys()].map((name) => [name, end.values[name] as Resolved])),
        );
    });
  }

  /** Only a run can tell: what is made of it is unknown as well. */
  #unexpandable(instance: ScopeInstance, node: Exclude<Node, TaskNode>, because: string): void {
    this.#events.unexpandable({ node, index: instance.index, because });
    const body = node.kind === "when" ? node.yes : node.body;
    const names = Object.keys((this.#graph.scopes[body] as Scope).results);
    this.#end(instance, node, {
      ok: true,
      values: Object.fromEntries(names.map((name) => [name, { kind: "unknown", because }])),
    });
  }

  #resultsOf(instance: ScopeInstance): NodeEnd {
    for (const end of instance.ended.values()) if (!end.ok) return end;
    const values: Record<string, Resolved> = {};
    for (const [name, ref] of Object.entries(instance.scope.results)) values[name] = this.resolve(ref, instance);
    return { ok: true, values };
  }

  #end(instance: ScopeInstance, node: Node, end: NodeEnd): void {
    instance.ended.set(node.id, end);
    instance.remaining--;
    const waiting = instance.waiting.get(node.id);
    if (waiting) {
      instance.waiting.delete(node.id);
      for (const arrived of waiting) arrived();
    }
    if (instance.remaining === 0) this.#later(() => instance.onEnd(instance));
  }
}

export function taskName(stage: string, index: readonly number[]): string {
  return index.length === 0 ? stage : `${stage}.${index.join(".")}`;
}

function dependenciesOf(node: Node): readonly string[] {
  const ids = new Set(node.after);
  for (const ref of refsOf(node)) nodesOf(ref, ids);
  return [...ids];
}
