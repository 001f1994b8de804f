import { lineOfError, showLine } from "@wf/core";
import { WfError } from "@wf/protocol";

/** A sampler or a pruner was given something that makes no sense. */
export function refuseOption(message: string, hint: string): never {
  throw new WfError("WF_SEARCH_OPTION", message, { where: showLine(lineOfError(new Error())), hint });
}
