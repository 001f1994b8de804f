export const ASSOCIATION_FORMAT = "cluster,account,partition,qos,defaultqos,maxsubmit";

/** What a user may charge jobs to. */
export interface Association {
  readonly cluster: string;
  readonly account: string;
  /** Null where it holds for all partitions. */
  readonly partition: string | null;
  readonly qos: readonly string[];
  readonly defaultQos: string | null;
  /** Jobs that the user may have in the queue at once, elements of arrays included. */
  readonly maxSubmit: number;
}

/** What `sacctmgr -nP show assoc user=… format=ASSOCIATION_FORMAT` lists. A line that cannot be read is passed over. */
export function parseAssociations(text: string): readonly Association[] {
  return text
    .split("\n")
    .map((line) => line.split("|"))
    .filter((fields) => fields.length === 6 && fields[1] !== "")
    .map(([cluster = "", account = "", partition = "", qos = "", defaultQos = "", maxSubmit = ""]) => ({
      cluster,
      account,
      partition: partition || null,
      qos: qos === "" ? [] : qos.split(","),
      defaultQos: defaultQos || null,
      maxSubmit: /^\d+$/.test(maxSubmit) ? Number(maxSubmit) : Number.POSITIVE_INFINITY,
    }));
}
