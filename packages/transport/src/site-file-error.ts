import { WfError } from "@wf/protocol";

/** What was being done to a file, as a message tells it. */
export type FileDeed = "read" | "write" | "list" | "remove" | "rename" | "link" | "change the mode of";

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "something is there already",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its links lead in a circle",
};

/** Of the disk that a file was to be written to. */
export interface DiskRoom {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** What went wrong with a file of a site, as the error that a person can act on. `errno` is a name such as `ENOSPC`. */
export function siteFileError(
  errno: string | undefined,
  deed: FileDeed,
  path: string,
  place: string,
  cause?: unknown,
  room?: DiskRoom,
): WfError {
  const where = `${place}:${path}`;
  if (errno === "ENOSPC" || errno === "EDQUOT")
    return new WfError(
      "WF_DISK_FULL",
      `${errno === "ENOSPC" ? "The disk of the site is full" : "Your quota on the site is used up"}${roomText(room)}`,
      { where, hint: "Make room there, or remove what no run needs with `wf gc`; then go on with `wf resume`.", cause },
    );
  const why = errno === undefined ? messageOf(cause) : (MEANINGS[errno] ?? errno);
  return new WfError("WF_SITE_FILE", `Cannot ${deed} a file of the site: ${why}`, {
    where,
    hint: hintOf(errno),
    cause,
  });
}

function roomText(room: DiskRoom | undefined): string {
  if (room === undefined) return "";
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 2 : 0)} MB`;
  return `: ${megabytes(room.freeBytes)} of ${megabytes(room.totalBytes)} are free`;
}

function hintOf(errno: string | undefined): string {
  if (errno === "EROFS") return "Name another folder as the storage of the site in sites.yaml.";
  if (errno === "EACCES" || errno === "EPERM")
    return "Check who owns the folder, or name another one as the storage of the site in sites.yaml.";
  return "Check the path on the site.";
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
