import { WfError } from "@wf/protocol";

export function missingContent(hash: string, where: string): WfError {
  return new WfError("WF_ARTIFACT_MISSING", `Object ${hash.slice(0, 12)} is gone`, {
    where,
    hint: "Run the workflow again: what is missing is made again.",
  });
}

export function wrongContent(hash: string, where: string): WfError {
  return new WfError("WF_SITE_CHECKSUM", `The content is not what its hash ${hash.slice(0, 12)} says`, {
    where,
    hint: "Run the workflow again: what is damaged is set aside, and made again.",
  });
}
