import type { Duplex } from "node:stream";
import { WfError } from "@wf/protocol";
import ssh2, { type Client } from "ssh2";
import { onAbort } from "../on-abort.ts";
import type { Ask } from "./ask.ts";
import { Authentication } from "./authentication.ts";
import { HostKeyCheck } from "./host-key-check.ts";
import type { KeyRing } from "./key-ring.ts";
import type { SshSettings } from "./ssh-settings.ts";
import { unreachable } from "./unreachable.ts";

export interface LoginContext {
  readonly keyRing: KeyRing;
  readonly ask: Ask;
  /** How long the machine may be silent before it counts as gone; the time that a person takes is not counted. */
  readonly silenceMs: number;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal;
}

const KEEP_ALIVES_MISSED = 4;

/** Checks the machine's key, then shows who the user is. Every way to fail has its own error. */
export async function logIn(settings: SshSettings, wire: Duplex, context: LoginContext): Promise<Client> {
  const { keyRing, silenceMs, keepAliveMs, signal } = context;
  const [check, keys] = await Promise.all([HostKeyCheck.read(settings), keyRing.keysFor(settings)]);
  signal.throwIfAborted();
  if (wire.destroyed) throw unreachable(settings, wire.errored ?? hangUp());
  const client = new ssh2.Client();
  return await new Promise<Client>((resolve, reject) => {
    let refusal: WfError | undefined;
    let banner = "";
    let isHandshakeDone = false;
    let timer: NodeJS.Timeout | undefined;

    let isSettled = false;
    let letGo = () => {};
    const settle = () => {
      isSettled = true;
      clearTimeout(timer);
      letGo();
      client.removeAllListeners().on("error", () => undefined);
    };
    const fail = (error: unknown) => {
      settle();
      client.end();
      wire.destroy();
      reject(error);
    };
    const listen = () => {
      clearTimeout(timer);
      if (!isSettled) timer = setTimeout(() => fail(unreachable(settings, silence())), silenceMs);
    };
    const onEnd = (error: Error) => {
      if (refusal) fail(refusal);
      else if (isHandshakeDone && authentication.hasTried) fail(authentication.hungUp(withBanner(error, banner)));
      else if (isNoAgreement(error)) fail(noAgreement(settings, error));
      else fail(unreachable(settings, error));
    };
    const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        listen();
      }
    };
    const desk = { ask: context.ask, signal, patiently, abandon: fail };
    const authentication = new Authentication(settings, keys, desk);

    letGo = onAbort(signal, () => fail(signal.reason));
    listen();
    client
      .on("ready", () => {
        settle();
        resolve(client);
      })
      .on("handshake", () => {
        isHandshakeDone = true;
        listen();
      })
      .on("banner", (text) => {
        banner += text;
      })
      .on("error", (error) => {
        if (!authentication.isExpected(error)) onEnd(error);
      })
      .on("close", () => onEnd(hangUp()));
    client.connect({
      sock: wire,
      username: settings.user,
      algorithms: { serverHostKey: check.algorithms },
      hostVerifier: (key: Buffer) => {
        refusal = check.refusal(key);
        return refusal === undefined;
      },
      authHandler: (left, isPartial, next) => {
        listen();
        authentication.handler(left, isPartial, next);
      },
      readyTimeout: 0,
      keepaliveInterval: keepAliveMs,
      keepaliveCountMax: KEEP_ALIVES_MISSED,
    });
  });
}

function silence(): Error {
  return Object.assign(new Error("it does not answer"), { code: "ETIMEDOUT" });
}

function hangUp(): Error {
  return Object.assign(new Error("it hung up"), { code: "ECONNRESET" });
}

/** What a machine shows before a login often says why nobody gets in today. */
function withBanner(error: Error, banner: string): string {
  return banner.trim() === "" ? error.message : `${error.message} (${banner.trim().slice(-500)})`;
}

function isNoAgreement(error: Error): boolean {
  return /no matching|Handshake failed|protocol/i.test(error.message) && !("code" in error);
}

function noAgreement({ user, host, port }: SshSettings, error: Error): WfError {
  return new WfError("WF_SSH_CONFIG", `The machine speaks another dialect of ssh: ${error.message}`, {
    where: `${user}@${host}:${port}`,
    hint: "Check that this port is one of an ssh server. Very old servers know no algorithm that is still safe.",
    cause: error,
  });
}
