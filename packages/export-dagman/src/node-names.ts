/** Words that DAGMan reads as its own, whatever their case. */
const RESERVED = new Set(["parent", "child", "all_nodes"]);

/**
 * What DAGMan calls a node. It keeps `.` and `+` for itself, so `train.3` becomes `train_3`; of two that would have one
 * name, the later gets a number.
 */
export class NodeNames {
  readonly #taken = new Set<string>();

  nameOf(wanted: string): string {
    const plain = wanted.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    const base = RESERVED.has(plain.toLowerCase()) ? `${plain}_` : plain;
    let name = base;
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++) name = `${base}__${number}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
