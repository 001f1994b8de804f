import type { ModelChoice } from "@wf/protocol";
import type { ArtifactType } from "./artifact-type.ts";
import type { Ref } from "./ref.ts";
import type { Resources } from "./resources.ts";
import type { SourceLine } from "./source-line.ts";
import type { SplitSet } from "./split.ts";
import type { TaskDeclaration } from "./task-declaration.ts";

/**
 * The abstract DAG. It is small whatever the size of the data: a fan-out is one node with a body, and a body is a
 * scope with nodes of its own. Scope 0 is the workflow itself.
 */
export interface Graph {
  readonly workflow: string;
  readonly params: { readonly [name: string]: unknown };
  readonly inputs: { readonly [name: string]: GraphInput };
  readonly scopes: readonly Scope[];
  readonly nodes: ReadonlyMap<string, Node>;
  readonly outputs: { readonly [name: string]: GraphOutput };
}

export interface GraphInput {
  readonly type: ArtifactType;
  readonly splits: SplitSet;
  /** Where it lies if the command line names nothing else, relative to the workflow's file. */
  readonly from: string | undefined;
  /** The registered model that it is if the command line names nothing else. */
  readonly model: ModelChoice | undefined;
}

export interface GraphOutput {
  readonly ref: Ref;
  readonly kind: "artifact" | "collection" | "metric";
  readonly splits: SplitSet;
  /** The model that it becomes a version of when the run has succeeded. */
  readonly model?: GraphModel;
}

export interface GraphModel {
  readonly name: string;
  readonly metrics: { readonly [name: string]: { readonly ref: Ref; readonly splits: SplitSet } };
}

export interface Scope {
  readonly id: number;
  /** The node whose body this is; undefined for the workflow itself. */
  readonly owner: string | undefined;
  readonly parent: number | undefined;
  readonly nodes: readonly string[];
  readonly results: { readonly [name: string]: Ref };
}

interface NodeBase {
  /** Unique in the graph; for tasks it is the name of the stage. */
  readonly id: string;
  readonly scope: number;
  readonly at: SourceLine | undefined;
  /** Nodes that must have ended first although no data flows. */
  readonly after: readonly string[];
}

export interface TaskInput {
  readonly ref: Ref;
  readonly splits: SplitSet;
  readonly carried: boolean;
  readonly many: boolean;
}

export interface TaskNode extends NodeBase {
  readonly kind: "task";
  readonly declaration: TaskDeclaration;
  readonly inputs: { readonly [name: string]: TaskInput };
  readonly params: { readonly [name: string]: Ref };
  readonly outputSplits: { readonly [name: string]: SplitSet };
  readonly resources: Resources;
}

export interface EachNode extends NodeBase {
  readonly kind: "each";
  readonly over: Ref;
  readonly body: number;
}

export interface WhenNode extends NodeBase {
  readonly kind: "when";
  readonly condition: Ref;
  readonly yes: number;
  readonly no: number | undefined;
}

export interface RepeatNode extends NodeBase {
  readonly kind: "repeat";
  readonly atMost: number;
  readonly start: { readonly [name: string]: Ref };
  readonly body: number;
  /** In the body's scope: true when no further round is needed. */
  readonly until: Ref;
}

/** Rounds of which round i is given what rounds 0 to i - window returned, so that at most `window` are under way. */
export interface SeriesNode extends NodeBase {
  readonly kind: "series";
  readonly count: number;
  readonly window: number;
  readonly body: number;
}

/** A body whose failure leaves its results absent and harms nothing else. */
export interface TolerateNode extends NodeBase {
  readonly kind: "tolerate";
  readonly body: number;
}

export type Node = TaskNode | EachNode | WhenNode | RepeatNode | SeriesNode | TolerateNode;

/** The scopes that a node's bodies are; none for a task. */
export function bodiesOf(node: Node): readonly number[] {
  switch (node.kind) {
    case "task":
      return [];
    case "each":
    case "repeat":
    case "series":
    case "tolerate":
      return [node.body];
    case "when":
      return node.no === undefined ? [node.yes] : [node.yes, node.no];
  }
}

/** The refs that a node itself reads, without those of its bodies. */
export function refsOf(node: Node): readonly Ref[] {
  switch (node.kind) {
    case "task":
      return [...Object.values(node.inputs).map((input) => input.ref), ...Object.values(node.params)];
    case "each":
      return [node.over];
    case "when":
      return [node.condition];
    case "repeat":
      return Object.values(node.start);
    case "series":
    case "tolerate":
      return [];
  }
}
