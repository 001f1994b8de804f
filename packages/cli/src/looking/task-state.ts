import type { TaskState } from "@wf/store";
import type { Colours, Paint } from "../format/colour.ts";

export function taskStatePaint(state: TaskState, colours: Colours): Paint {
  switch (state) {
    case "done":
      return colours.green;
    case "cached":
      return colours.cyan;
    case "failed":
      return colours.red;
    case "running":
    case "cancelled":
      return colours.yellow;
    case "ready":
    case "submitted":
    case "skipped":
      return colours.gray;
  }
}
