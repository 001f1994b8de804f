import { shellLine } from "@wf/protocol";
import { type Diagnosis, fail, ok, warn } from "./diagnosis.ts";

const GROUP = 0o070;
const OTHERS = 0o007;
const OTHERS_WRITE = 0o002;
const GROUP_SHARES = 0o2070;

/** Who beside its owner can use a folder in which wf keeps what runs leave. `says`: what is right with it. */
export function judgeOpenness(
  { folder, mode }: { readonly folder: string; readonly mode: number },
  { isShared, says }: { readonly isShared: boolean; readonly says: string },
): Diagnosis {
  const isForGroup = (mode & GROUP_SHARES) === GROUP_SHARES;
  if (isShared && !isForGroup) {
    const share = [
      ["chmod", "-R", "g+rwX,o-rwx", folder],
      ["find", folder, "-type", "d", "-exec", "chmod", "g+s", "{}", "+"],
    ];
    return fail(
      `${folder} is not shared with its group, as the site says`,
      `chgrp -R GROUP ${shellLine([folder])} && ${share.map(shellLine).join(" && ")}`,
    );
  }
  if ((mode & OTHERS_WRITE) !== 0) {
    return warn(`everybody can write to ${folder}, and so run programs as you`, closing(folder, isShared));
  }
  if ((mode & OTHERS) !== 0) return warn(`everybody can look into ${folder}`, closing(folder, isShared));
  if ((mode & GROUP) !== 0 && !isForGroup) return warn(`its group can look into ${folder}`, closing(folder, isShared));
  return ok(isForGroup ? `${says}, shared with its group` : says);
}

function closing(folder: string, isShared: boolean): string {
  return shellLine(["chmod", isShared ? "o-rwx" : "go-rwx", folder]);
}
