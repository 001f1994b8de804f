import { DISK_ROOM_LINES, type DiskRoom, parseDiskRoom } from "./disk-room.ts";

/** A folder in which a site might keep what it runs. */
export interface StorageFolder extends DiskRoom {
  readonly path: string;
  readonly isWritable: boolean;
}

const SEPARATOR = "\x1f";
const ROOM_BYTES = 10e9;
const ROOM_FILES = 100_000;

/** Lines of sh, for a login shell: that is where clusters set SCRATCH and WORK. The best places come first. */
export const STORAGE_LINES = `me=$(id -un)
for dir in "$SCRATCH" "$WORK" "/scratch/$me" "/work/$me" "$HOME"; do
  [ -n "$dir" ] && [ -d "$dir" ] || continue
  printf '\\037%s\\n' "$dir"
  if [ -w "$dir" ]; then echo yes; else echo no; fi
  ${DISK_ROOM_LINES}
done`;

/** What a login prints before is not meant; a folder that is named twice counts once. */
export function parseStorageFolders(text: string): readonly StorageFolder[] {
  const folders = new Map<string, StorageFolder>();
  for (const piece of text.split(SEPARATOR).slice(1)) {
    const [path = "", isWritable, ...df] = piece.split("\n");
    if (path.startsWith("/") && !folders.has(path)) {
      folders.set(path, { path, isWritable: isWritable === "yes", ...parseDiskRoom(df) });
    }
  }
  return [...folders.values()];
}

/** The first that is writable, shared and has room; else the first that lacks the least of it. */
export function chooseStorage(folders: readonly StorageFolder[]): StorageFolder | undefined {
  const writable = folders.filter(({ isWritable }) => isWritable);
  const roomy = writable.filter(hasRoom);
  return roomy.find(({ looksShared }) => looksShared) ?? roomy[0] ?? writable[0];
}

/** What is not known counts as enough. */
export function hasRoom({ freeBytes, freeFiles }: DiskRoom): boolean {
  return (freeBytes ?? ROOM_BYTES) >= ROOM_BYTES && (freeFiles ?? ROOM_FILES) >= ROOM_FILES;
}
