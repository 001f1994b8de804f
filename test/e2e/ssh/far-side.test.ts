/** What a site may be like: chatty, strange, full, and with thousands of files. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { until } from "@wf/testing";
import type { ContentFile } from "@wf/transport";
import type { SshServer } from "@wf/transport/testing";
import { beforeAll, expect, it } from "vitest";
import { connectTo, describeWithSsh, signal, startServer, temporaryFolder } from "./ssh-site.ts";

const hasBash = userInfo().shell?.endsWith("/bash") === true;
const hello = { argv: ["echo", "hello"] } as const;

function makeObjects(count: number, bytes: (index: number) => number): ContentFile[] {
  const folder = temporaryFolder();
  return Array.from({ length: count }, (_, index) => {
    const content = randomBytes(bytes(index));
    const hash = createHash("sha256").update(content).digest("hex");
    writeFileSync(join(folder, hash), content);
    const remote = `objects/${hash.slice(0, 2)}/${hash}`;
    return { hash, sizeBytes: content.byteLength, local: join(folder, hash), remote, mode: 0o444 };
  });
}

/** Not before what was given up on has closed its files. */
async function remountReadOnly(mount: string): Promise<void> {
  await until(
    "files on the full disk to be closed",
    () => spawnSync("mount", ["-o", "remount,ro", mount]).status === 0,
  );
}

describeWithSsh("a site", () => {
  let server: SshServer;
  beforeAll(async () => {
    server = await startServer();
  });

  it("cannot fill the memory with an object that is larger than was said", async () => {
    const [file] = makeObjects(1, () => 200_000) as [ContentFile];
    const root = temporaryFolder();
    const site = connectTo(server);
    await site.putObjects(root, [file], signal);
    const wanted = { ...file, sizeBytes: 3, local: join(temporaryFolder(), file.hash) };
    await expect(site.getObjects(root, [wanted], signal)).rejects.toMatchObject({ code: "WF_SITE_CHECKSUM" });
    await site.getObjects(root, [{ ...wanted, sizeBytes: 0 }], signal);
    expect(readFileSync(wanted.local).length).toBe(200_000);
  });

  it("gets 5,000 small files by one command, sends none of them twice, and gives them back", async () => {
    const files = makeObjects(5000, (index) => index % 3000);
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const root = temporaryFolder();
    const site = connectTo(server);
    const distinct = new Set(files.map(({ hash }) => hash)).size;
    expect(await site.putObjects(root, files, signal)).toMatchObject({ moved: distinct });
    expect(site.counts).toMatchObject({ connections: 1, commands: 1 });
    expect(
      readdirSync(join(root, "objects"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
        .length,
    ).toBe(distinct);
    expect(readdirSync(join(root, "tmp"))).toEqual([]);
    for (const [name, seconds] of Object.entries({ "put-old": 1_000_000_000, "put-new": Date.now() / 1000 })) {
      writeFileSync(join(root, "tmp", name), "");
      utimesSync(join(root, "tmp", name), seconds, seconds);
    }
    const sent = site.counts.sentBytes;
    expect(sent).toBeLessThan(bytes * 1.3);
    expect(await site.putObjects(root, files, signal)).toEqual({ moved: 0, movedBytes: 0, kept: 5000 });
    expect(site.counts.sentBytes - sent).toBeLessThan(bytes * 0.15);
    expect(readdirSync(join(root, "tmp"))).toEqual(["put-new"]);
    const back = temporaryFolder();
    const wanted = files.slice(-1000).map((file) => ({ ...file, local: join(back, file.hash) }));
    expect(await site.getObjects(root, wanted, signal)).toMatchObject({ moved: 1000 });
    for (const { hash, local } of wanted)
      expect(createHash("sha256").update(readFileSync(local)).digest("hex")).toBe(hash);
    expect(site.counts).toMatchObject({ connections: 1, commands: 3 });
  });

  it("may print what it likes at a login: it is not taken for output", async ({ skip }) => {
    if (!hasBash) return skip("the start-up file of the test is one of bash");
    const chatty = await startServer();
    writeFileSync(join(chatty.home, ".bashrc"), "echo Welcome to the cluster; echo module: command not found >&2\n");
    const site = connectTo(chatty, { prelude: "echo loaded; export FROM_PRELUDE=yes" });
    expect(await site.run({ argv: ["sh", "-c", 'echo "$FROM_PRELUDE"'] }, signal)).toEqual({
      code: 0,
      signal: null,
      stdout: "yes\n",
      stderr: "",
    });
    const files = makeObjects(20, () => 100);
    expect(await site.putObjects(temporaryFolder(), files, signal)).toMatchObject({ moved: 20 });
  });

  it("that runs no command says so in its own words", async ({ skip }) => {
    if (!hasBash) return skip("the start-up file of the test is one of bash");
    const closed = await startServer();
    writeFileSync(join(closed.home, ".bashrc"), "echo 'System maintenance until noon' >&2; exit 4\n");
    await expect(connectTo(closed).run(hello, signal)).rejects.toMatchObject({
      code: "WF_SSH_CHANNEL",
      message: expect.stringMatching(/ended with 4 .*System maintenance until noon/),
    });
    const noFiles = await startServer({ config: ["Subsystem sftp /bin/false"] });
    await expect(connectTo(noFiles).stat("/", signal)).rejects.toMatchObject({
      code: "WF_SSH_CHANNEL",
      hint: expect.stringContaining("sftp"),
    });
  });

  it("whose login shell is killed before it runs anything is asked again", async ({ skip }) => {
    if (!hasBash) return skip("the start-up file of the test is one of bash");
    const cut = await startServer();
    const mark = join(cut.home, "killed-once");
    writeFileSync(join(cut.home, ".bashrc"), `[ -e '${mark}' ] || { touch '${mark}'; kill -9 $$; }\n`);
    expect(await connectTo(cut).run({ ...hello, isRepeatable: true }, signal)).toMatchObject({ code: 0 });
  });

  it("without python3 says so", async () => {
    const site = connectTo(server, { python: "wf-no-such-python" });
    await expect(site.sha256(["/etc/hostname"], signal)).rejects.toMatchObject({
      code: "WF_PYTHON_MISSING",
      hint: expect.stringContaining("sites.yaml"),
    });
  });

  it("whose disk is full, or read-only, says so however it is written to", async ({ skip }) => {
    const mount = join(temporaryFolder(), "disk");
    mkdirSync(mount);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "none", mount], { stdio: "pipe" });
    } catch {
      return skip("no small disk can be mounted here");
    }
    try {
      const site = connectTo(server);
      const big = join(temporaryFolder(), "big");
      writeFileSync(big, randomBytes(2_000_000));
      const full = {
        code: "WF_DISK_FULL",
        where: expect.stringContaining(mount),
        hint: expect.stringContaining("room"),
      };
      await expect(site.upload({ local: big, remote: `${mount}/big` }, signal)).rejects.toMatchObject(full);
      const filled = [site.writeFile({ path: `${mount}/x`, content: readFileSync(big) }, signal)];
      filled.push(
        site
          .putObjects(
            mount,
            makeObjects(30, () => 20_000),
            signal,
          )
          .then(() => undefined),
      );
      filled.push(
        site
          .putObjects(
            mount,
            makeObjects(1, () => 2_000_000),
            signal,
          )
          .then(() => undefined),
      );
      for (const { status, reason } of (await Promise.allSettled(filled)) as { status: string; reason: unknown }[])
        expect({ status, reason }).toMatchObject({ status: "rejected", reason: full });
      await remountReadOnly(mount);
      const readOnly = {
        code: "WF_SITE_FILE",
        message: expect.stringContaining("read-only"),
        hint: expect.stringContaining("sites.yaml"),
      };
      await expect(site.writeFile({ path: `${mount}/y`, content: "" }, signal)).rejects.toMatchObject(readOnly);
      await expect(site.makeFolder(`${mount}/y/z`, signal)).rejects.toMatchObject(readOnly);
      await expect(site.upload({ local: big, remote: `${mount}/z` }, signal)).rejects.toMatchObject(readOnly);
      await expect(
        site.putObjects(
          mount,
          makeObjects(1, () => 10),
          signal,
        ),
      ).rejects.toMatchObject(readOnly);
    } finally {
      execFileSync("umount", ["-l", mount]);
    }
  });

  it("keeps what the user may not touch", async ({ skip }) => {
    if (process.getuid?.() === 0) return skip("root may touch everything");
    const folder = temporaryFolder();
    chmodSync(folder, 0o555);
    await expect(connectTo(server).writeFile({ path: `${folder}/x`, content: "" }, signal)).rejects.toMatchObject({
      code: "WF_SITE_FILE",
      message: expect.stringContaining("permission denied"),
    });
  });
});
