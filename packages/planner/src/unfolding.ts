import {
  type EachNode,
  type Graph,
  type Node,
  type Ref,
  type RepeatNode,
  type Scope,
  type SeriesNode,
  showLine,
  type TaskInput,
  type TaskNode,
  type TolerateNode,
  type WhenNode,
} from "@wf/core";
import { taskName, WfError } from "@wf/protocol";
import { Agenda } from "./agenda.ts";
import { dependenciesOf, returnedFromOutside } from "./dependencies.ts";
import { Fifo } from "./fifo.ts";
import { type OpenExpansion, OpenExpansions, type Rank } from "./open-expansions.ts";
import { isDerived, originsOf } from "./origins.ts";
import { resolveRef } from "./resolve-ref.ts";
import { listOf, type Resolved, type ValueOps } from "./resolved.ts";
import { Rounds } from "./rounds.ts";
import { type Cause, type NodeEnd, ownerOf, type ScopeInstance } from "./scope-instance.ts";
import type { TaskInstance } from "./task-instance.ts";
import type { UnfoldingEvents } from "./unfolding-events.ts";

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
  readonly #dependencies: ReadonlyMap<string, readonly string[]>;
  readonly #ready = new Fifo<TaskInstance>();
  readonly #open: OpenExpansions;
  readonly root: ScopeInstance;
  readonly #agenda = new Agenda();
  #finished = false;

  constructor(
    graph: Graph,
    inputs: ReadonlyMap<string, Resolved>,
    ops: ValueOps,
    events: UnfoldingEvents,
    rank: Rank = () => 0,
  ) {
    this.#graph = graph;
    this.#open = new OpenExpansions(graph, rank);
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
      const instance = this.#ready.take();
      if (instance) return instance;
      const item = this.#open.take();
      if (!item) return undefined;
      this.#enterItem(item.expansion, item.index);
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

  /** Whether the task may fail without harm to the run. */
  isTolerated(task: TaskInstance): boolean {
    return this.#isTolerated(task.scope);
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
    for (const id of returnedFromOutside(this.#graph, scope)) {
      const isWaitedFor = this.#whenEnded(instance, id, () => {
        if (--instance.remaining === 0) this.#agenda.add(() => onEnd(instance));
      });
      if (isWaitedFor) instance.remaining++;
    }
    if (instance.remaining === 0) this.#agenda.add(() => onEnd(instance));
    for (const id of scope.nodes) this.#await(instance, this.#graph.nodes.get(id) as Node);
    return instance;
  }

  #await(instance: ScopeInstance, node: Node): void {
    let missing = 0;
    const arrived = () => {
      if (--missing === 0) this.#agenda.add(() => this.#begin(instance, node));
    };
    for (const id of this.#dependencies.get(node.id) as readonly string[]) {
      if (this.#whenEnded(instance, id, arrived)) missing++;
    }
    if (missing === 0) this.#agenda.add(() => this.#begin(instance, node));
  }

  /** False if the node has ended already. */
  #whenEnded(instance: ScopeInstance, id: string, arrived: () => void): boolean {
    const owner = ownerOf(this.#graph, instance, id);
    if (owner.ended.has(id)) return false;
    const waiting = owner.waiting.get(id);
    if (waiting) waiting.push(arrived);
    else owner.waiting.set(id, [arrived]);
    return true;
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
      const name = taskName(node.id, instance.index);
      this.#events.broken({
        node,
        index: instance.index,
        error: located(error, name, showLine(node.at)),
        isTolerated: this.#isTolerated(instance),
      });
      this.#end(instance, node, { ok: false, cause: { task: name, message: error.message } });
    }
  }

  #start(instance: ScopeInstance, node: Node): void {
    switch (node.kind) {
      case "task":
        this.#ready.add(this.#instanceOf(instance, node));
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
      case "series":
        this.#beginSeries(instance, node);
        return;
      case "tolerate":
        this.#beginTolerate(instance, node);
        return;
    }
  }

  #failedDependency(instance: ScopeInstance, node: Node): Cause | undefined {
    for (const id of this.#dependencies.get(node.id) as readonly string[]) {
      const end = ownerOf(this.#graph, instance, id).ended.get(id);
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
    for (const name in node.inputs) {
      const { ref, many } = node.inputs[name] as TaskInput;
      const value = this.resolve(ref, scope);
      inputs[name] = many && value.kind === "absent" ? listOf([]) : value;
    }
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
    else this.#open.add(expansion);
  }

  #enterItem(expansion: OpenExpansion, index: number): void {
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
      this.#end(instance, node, { ok: true, values: this.#allResults(node.yes, { kind: "absent" }) });
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

  #beginSeries(instance: ScopeInstance, node: SeriesNode): void {
    const over: Resolved = { kind: "json", value: node.count };
    this.#events.expanded({ node, index: instance.index, count: node.count, over });
    const scope = this.#graph.scopes[node.body] as Scope;
    const rounds = new Rounds(Object.keys(scope.results), node);
    const enter = () => {
      for (const { index, earlier } of rounds.take()) {
        this.#enter(scope, instance, [...instance.index, index], undefined, earlier, (body) => {
          rounds.ended(index, this.#resultsOf(body));
          const end = rounds.end();
          if (end) this.#end(instance, node, end);
          else enter();
        });
      }
    };
    enter();
  }

  #beginTolerate(instance: ScopeInstance, node: TolerateNode): void {
    this.#enter(this.#graph.scopes[node.body] as Scope, instance, instance.index, undefined, undefined, (body) => {
      const end = this.#resultsOf(body);
      this.#end(instance, node, end.ok ? end : { ok: true, values: this.#allResults(node.body, { kind: "absent" }) });
    });
  }

  /** Whether a failure of what stands here leaves a gap and no more. */
  #isTolerated(scope: ScopeInstance): boolean {
    for (let around: ScopeInstance | undefined = scope; around; around = around.parent) {
      const { owner } = around.scope;
      if (owner !== undefined && this.#graph.nodes.get(owner)?.kind === "tolerate") return true;
    }
    return false;
  }

  #allResults(body: number, value: Resolved): { readonly [name: string]: Resolved } {
    const names = Object.keys((this.#graph.scopes[body] as Scope).results);
    return Object.fromEntries(names.map((name) => [name, value]));
  }

  /** Only a run can tell: what is made of it is unknown as well. */
  #unexpandable(instance: ScopeInstance, node: Exclude<Node, TaskNode>, because: string): void {
    this.#events.unexpandable({ node, index: instance.index, because });
    const body = node.kind === "when" ? node.yes : node.body;
    this.#end(instance, node, { ok: true, values: this.#allResults(body, { kind: "unknown", because }) });
  }

  #resultsOf(instance: ScopeInstance): NodeEnd {
    for (const end of instance.ended.values()) if (!end.ok) return end;
    for (const id of returnedFromOutside(this.#graph, instance.scope)) {
      const end = ownerOf(this.#graph, instance, id).ended.get(id);
      if (end && !end.ok) return end;
    }
    const values: Record<string, Resolved> = {};
    for (const [name, ref] of Object.entries(instance.scope.results)) values[name] = this.resolve(ref, instance);
    return { ok: true, values };
  }

  #end(instance: ScopeInstance, node: Node, end: NodeEnd): void {
    instance.ended.set(node.id, end);
    // What waits may begin and end before this returns, so the last one is told beforehand.
    const isLast = --instance.remaining === 0;
    const waiting = instance.waiting.get(node.id);
    if (waiting) {
      instance.waiting.delete(node.id);
      for (const arrived of waiting) arrived();
    }
    if (isLast) this.#agenda.add(() => instance.onEnd(instance));
  }
}

/** A mistake that showed with the data, with the node that it was found at. */
function located(error: WfError, name: string, at: string | undefined): WfError {
  if (error.where !== undefined) return error;
  const { code, message, hint, cause } = error;
  return new WfError(code, message, { where: at ? `${name} (${at})` : name, hint, cause });
}
