/** Logins that ask for a code, against a real sshd with PAM: as on clusters with two factors. */
import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ask, Question } from "@wf/transport";
import type { SshServer } from "@wf/transport/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectTo, describeWithSsh, signal, startServer, temporaryFolder } from "./ssh-site.ts";

const CODE = "123456";
const SERVICE = `wf-test-${process.pid}`;
const SERVICE_FILE = `/etc/pam.d/${SERVICE}`;
/** Far longer than the machine itself needs for any answer. */
const SILENCE_MS = 5_000;
const hello = { argv: ["echo", "hello"] } as const;

const mayUsePam = process.getuid?.() === 0;
if (!mayUsePam) console.warn("SKIPPED: logins with a code: only root may set up a PAM service");

/** A PAM service takes its name from the program that asks, so sshd is started under another one. */
function makePamService(): string {
  const folder = temporaryFolder();
  const check = join(folder, "check");
  writeFileSync(check, `#!/bin/sh\n[ "$(tr -d '\\0')" = ${CODE} ]\n`);
  chmodSync(check, 0o755);
  const rules = [
    `auth requisite pam_exec.so expose_authtok quiet ${check}`,
    "auth required pam_permit.so",
    "account required pam_permit.so",
    "session required pam_permit.so",
  ];
  writeFileSync(SERVICE_FILE, `${rules.join("\n")}\n`);
  const program = join(folder, SERVICE);
  symlinkSync("/usr/sbin/sshd", program);
  return program;
}

function answering(answer: string): { ask: Ask; questions: Question[] } {
  const questions: Question[] = [];
  return {
    questions,
    ask: async (question) => {
      questions.push(question);
      return question.prompts.map(() => answer);
    },
  };
}

describeWithSsh("a machine that asks for a code", () => {
  describe.skipIf(!mayUsePam)("after a key", () => {
    let server: SshServer;
    beforeAll(async () => {
      const methods = "AuthenticationMethods publickey,keyboard-interactive";
      const config = ["UsePAM yes", "KbdInteractiveAuthentication yes", methods];
      server = await startServer({ program: makePamService(), config });
    });
    afterAll(() => rmSync(SERVICE_FILE, { force: true }));

    it("gets it from who can be asked", async () => {
      const { ask, questions } = answering(CODE);
      const site = connectTo(server, { ask });
      expect(await site.run(hello, signal)).toMatchObject({ code: 0, stdout: "hello\n" });
      expect(questions).toEqual([
        {
          kind: "codes",
          from: `${server.user}@127.0.0.1`,
          instructions: "",
          prompts: [{ text: "Password: ", isHidden: true }],
        },
      ]);
      await Promise.all([site.run(hello, signal), site.readFile("/etc/hostname", signal)]);
      expect(questions.length).toBe(1);
    });

    it("lets a person try as often as ssh does, and then nobody", async () => {
      const { ask, questions } = answering("000000");
      const site = connectTo(server, { ask, configFile: server.clientConfig("NumberOfPasswordPrompts 2") });
      const refused = {
        code: "WF_SSH_AUTH",
        message: expect.stringMatching(/was taken; keyboard-interactive failed$/),
      };
      await expect(site.run(hello, signal)).rejects.toMatchObject(refused);
      await expect(site.run(hello, signal)).rejects.toMatchObject(refused);
      expect(questions.length).toBe(2);
      expect(site.counts.connectionAttempts).toBe(1);
    });

    it("says what it asks for where nobody can be asked", async () => {
      await expect(connectTo(server).run(hello, signal)).rejects.toMatchObject({
        code: "WF_SSH_AUTH",
        message: `${server.user}@127.0.0.1 asks for "Password:", and there is nobody to ask`,
        hint: expect.stringContaining("terminal"),
      });
    });

    it("is not given up on while a person looks for the code", async () => {
      const ask: Ask = async () => {
        await new Promise((resolve) => setTimeout(resolve, SILENCE_MS * 1.2));
        return [CODE];
      };
      const site = connectTo(server, { ask, silenceMs: SILENCE_MS });
      expect(await site.run(hello, signal)).toMatchObject({ code: 0 });
    });
  });
});
