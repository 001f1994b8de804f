import { existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { WfError } from "@wf/protocol";

/**
 * `f_type` of file systems that several machines can share. There, SQLite's locks and the shared memory of its
 * write-ahead log are not safe. FUSE is refused as a whole: the number does not tell sshfs from the rest.
 */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB2"],
  [0xff534d42, "CIFS"],
  [0x564c, "NCP"],
  [0x65735546, "FUSE (sshfs and the like)"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x19830326, "BeeGFS"],
  [0x00c36400, "CephFS"],
  [0xaad7aaea, "PanFS"],
  [0x20030528, "OrangeFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0xbeefdead, "SNFS"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x01021997, "9p"],
  [0xbacbacbc, "VMware shared folders"],
  [0x786f4256, "VirtualBox shared folders"],
  [0x7c7c6673, "Parallels shared folders"],
]);

/** Reads `f_type` of the file system that an existing folder lies on. */
export type ReadFileSystemType = (folder: string) => number;

/** On macOS the number is not a stable name, so nothing is known there. */
export const readFileSystemType: ReadFileSystemType = (folder) =>
  process.platform === "linux" ? statfsSync(folder).type : 0;

/** Before anything is written there. */
export function refuseNetworkFileSystem(folder: string, readType: ReadFileSystemType = readFileSystemType): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  const kind = NETWORK_FILE_SYSTEMS.get(readType(existing) >>> 0);
  if (kind === undefined) return;
  throw new WfError("WF_STORE_NETWORK", `The store would lie on a network file system: ${kind}.`, {
    where: folder,
    hint: "Name a folder on a local disk with --store FOLDER or WF_STORE. Data may stay where it is.",
  });
}
