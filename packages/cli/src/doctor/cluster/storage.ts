import { shellQuote } from "@wf/protocol";
import { makeSharedStorage } from "@wf/run";
import { askAtOnce } from "@wf/transport";
import { formatBytes } from "../../format/bytes.ts";
import { DISK_ROOM_LINES, type DiskRoom, parseDiskRoom } from "../../sites/disk-room.ts";
import { type Check, type Diagnosis, fail, ok, warn } from "../diagnosis.ts";
import { judgeOpenness } from "../openness.ts";
import { type ClusterPlace, settingOf } from "./cluster-place.ts";
import { parseQuotas, showQuota } from "./quota.ts";

const LITTLE_BYTES = 5e9;
const TOO_LITTLE_BYTES = 200e6;
const FEW_FILES = 50_000;
const TOO_FEW_FILES = 1000;

/** Makes it where it is missing, private as a run does, and writes a file of a megabyte, which also tells of a quota. */
const WRITE_LINES = `umask 077; mkdir -p -- "$dir" || exit 1
probe=$dir/.wf-doctor-$$
said=$(dd if=/dev/zero of="$probe" bs=65536 count=16 2>&1) || printf '%s\\n' "$said"
[ -s "$probe" ] && ln "$probe" "$probe.link" && mv "$probe.link" "$probe.moved" && [ "$(wc -c <"$probe.moved")" -eq 1048576 ]
code=$?
rm -f "$probe" "$probe.link" "$probe.moved"
exit $code`;

/** There, or can be made, and writable; and for nobody else, or for a group. */
export function checkStorage(place: ClusterPlace): Check {
  return {
    name: "storage",
    async examine() {
      const { storage, transport, signal, site } = place;
      const isShared = site.share === "group";
      if (isShared) await makeSharedStorage(storage, transport, signal).catch(() => undefined);
      const line = `dir=${shellQuote(storage)}`;
      const { write } = await askAtOnce(transport, { write: WRITE_LINES }, signal, line);
      if (write.code === 0) {
        const found = await transport.stat(`${storage}/.`, signal);
        const says = `${storage} can be written`;
        if (found === undefined) return ok(says);
        return judgeOpenness({ folder: storage, mode: found.mode }, { isShared, says });
      }
      const why = write.text
        .trim()
        .split("\n")
        .filter((words) => !/records (in|out)$/.test(words));
      return fail(
        `${storage} cannot be written: ${why[0] ?? `status ${write.code}`}`,
        `name a folder of yours${whoSees(place)}: ${settingOf(place, "storage")}`,
      );
    },
  };
}

function whoSees({ site }: ClusterPlace): string {
  if (site.backend !== "htcondor") return " that all nodes see";
  return site.placement === "shared" ? " that all machines see" : " on the submit host";
}

/** Bytes, files and quotas. */
export function checkSpace(place: ClusterPlace): Check {
  return {
    name: "space",
    async examine() {
      const { room, quota } = await askAtOnce(
        place.transport,
        {
          room: `while [ ! -d "$dir" ]; do dir=$(dirname "$dir"); done\n${DISK_ROOM_LINES}`,
          quota:
            'quota -wp 2>/dev/null; command -v lfs >/dev/null && lfs quota -q -u "$(id -un)" "$dir" 2>/dev/null; true',
        },
        place.signal,
        `dir=${shellQuote(place.storage)}`,
      );
      const nearlyFull = parseQuotas(quota.text).filter(({ isNearlyFull }) => isNearlyFull);
      const [first] = nearlyFull;
      if (first)
        return warn(
          `your quota of ${nearlyFull.map(showQuota).join(", ")}`,
          "delete what you do not need, or ask for more",
        );
      return judgeRoom(parseDiskRoom(room.text.split("\n")), `make room, or change ${settingOf(place, "storage")}`);
    },
  };
}

function judgeRoom({ fileSystem, freeBytes, freeFiles }: DiskRoom, next: string): Diagnosis {
  if (freeBytes === null) return warn("df does not say how much room there is", "look yourself, if you do not know it");
  const files = freeFiles === null ? "" : `, ${freeFiles} files`;
  const says = `${formatBytes(freeBytes)}${files} free (${fileSystem})`;
  if (freeBytes < TOO_LITTLE_BYTES || (freeFiles ?? TOO_FEW_FILES) < TOO_FEW_FILES) return fail(says, next);
  return freeBytes < LITTLE_BYTES || (freeFiles ?? FEW_FILES) < FEW_FILES ? warn(says, next) : ok(says);
}
