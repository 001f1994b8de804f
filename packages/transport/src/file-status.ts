export type FileKind = "file" | "folder" | "link" | "other";

export interface Entry {
  readonly name: string;
  readonly kind: FileKind;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface Status {
  readonly kind: FileKind;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Permissions, such as 0o644. */
  readonly mode: number;
  /** Where a link leads. */
  readonly target?: string;
}

const TYPE_BITS = 0o170000;
const KINDS: ReadonlyMap<number, FileKind> = new Map([
  [0o100000, "file"],
  [0o040000, "folder"],
  [0o120000, "link"],
]);

/** What the mode of `lstat` says, which is the same on this machine and in SFTP. */
export function kindOfMode(mode: number): FileKind {
  return KINDS.get(mode & TYPE_BITS) ?? "other";
}

export function permissionsOfMode(mode: number): number {
  return mode & 0o7777;
}
