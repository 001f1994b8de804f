import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellLine } from "@wf/protocol";
import { type ContentFile, sshTransport } from "@wf/transport";
import { SshServer, whyNoSshServer } from "@wf/transport/testing";
import type { Benchmark } from "./benchmark.ts";
import { freshFolder } from "./fresh-folder.ts";
import { median } from "./median-seconds.ts";

const FILES = 5_000;
const ROUNDS = 5;

/** Both connect anew. What tar unpacks it neither compares with a hash nor renames. */
export const upload: Benchmark = {
  name: "upload",
  description: `${FILES} small files to a server on this machine, by content, against tar through ssh`,
  async run() {
    const missing = whyNoSshServer();
    if (missing !== undefined) throw new Error(missing);
    const source = freshFolder();
    const files = makeFiles(source);
    const server = await SshServer.start();
    const seconds: { wf: number[]; tar: number[] } = { wf: [], tar: [] };
    try {
      const config = server.clientConfig();
      for (let round = 0; round <= ROUNDS; round += 1) {
        const tar = tarSeconds(source, config);
        const wf = await wfSeconds(files, config);
        if (round === 0) continue; // fills the caches
        seconds.tar.push(tar);
        seconds.wf.push(wf);
      }
    } finally {
      await server.remove();
    }
    return [
      {
        name: "upload",
        value: median(seconds.wf),
        unit: "s",
        reference: "tar | ssh tar",
        referenceValue: median(seconds.tar),
        ratioAtMost: 1.5,
      },
    ];
  },
};

/** Of one to four kilobytes, as manifests, masks and small pictures are. */
function makeFiles(folder: string): ContentFile[] {
  mkdirSync(join(folder, "files"));
  return Array.from({ length: FILES }, (_, index) => {
    const content = randomBytes(1000 + ((index * 7919) % 3000));
    const hash = createHash("sha256").update(content).digest("hex");
    const local = join(folder, "files", hash);
    writeFileSync(local, content);
    const remote = `objects/${hash.slice(0, 2)}/${hash}`;
    return { hash, sizeBytes: content.byteLength, local, remote, mode: 0o444 };
  });
}

async function wfSeconds(files: readonly ContentFile[], configFile: string): Promise<number> {
  const target = freshFolder();
  const start = performance.now();
  const site = sshTransport({ destination: "site", configFile });
  const { moved } = await site.putObjects(target, files, new AbortController().signal);
  const seconds = (performance.now() - start) / 1000;
  await site.close();
  if (moved !== FILES) throw new Error(`${moved} of ${FILES} files were sent`);
  return seconds;
}

function tarSeconds(source: string, configFile: string): number {
  const target = freshFolder();
  const pack = shellLine(["tar", "-C", source, "-cf", "-", "files"]);
  const unpack = shellLine(["ssh", "-F", configFile, "site", shellLine(["tar", "-C", target, "-xf", "-"])]);
  const start = performance.now();
  const { status, stderr } = spawnSync("sh", ["-c", `${pack} | ${unpack}`], { encoding: "utf8" });
  if (status !== 0) throw new Error(`tar through ssh ended with ${status}:\n${stderr}`);
  return (performance.now() - start) / 1000;
}
