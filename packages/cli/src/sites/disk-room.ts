/** File systems that the nodes of a cluster usually share. */
const SHARED =
  /^(nfs|lustre|gpfs|beegfs|fhgfs|ceph|panfs|weka|gluster|orangefs|pvfs|afs|fuse\.(ceph|gluster|mfs|juicefs))/i;

/** Where a folder lies, and how much room there is. Null: unknown. */
export interface DiskRoom {
  readonly fileSystem: string | null;
  /** As far as the name of the file system tells. */
  readonly looksShared: boolean;
  readonly freeBytes: number | null;
  readonly freeFiles: number | null;
}

/** Lines of sh that print what `parseDiskRoom` reads, of the folder in `$dir`. */
export const DISK_ROOM_LINES = 'df -PkT -- "$dir" 2>/dev/null | tail -n 1; df -Pi -- "$dir" 2>/dev/null | tail -n 1';

/** The last line of `df -PkT`, and of `df -Pi`. */
export function parseDiskRoom(lines: readonly string[]): DiskRoom {
  const blocks = /\s(\S+)\s+\d+\s+\d+\s+(\d+)\s+(?:\d+%|-)\s+\//.exec(lines[0] ?? "");
  const inodes = /\s(\d+)\s+\d+\s+(\d+)\s+(?:\d+%|-)\s+\//.exec(lines[1] ?? "");
  const fileSystem = blocks?.[1] ?? null;
  return {
    fileSystem,
    looksShared: fileSystem !== null && SHARED.test(fileSystem),
    freeBytes: blocks ? Number(blocks[2]) * 1024 : null,
    // Where files are not counted beforehand, there are 0 in all.
    freeFiles: inodes && inodes[1] !== "0" ? Number(inodes[2]) : null,
  };
}
