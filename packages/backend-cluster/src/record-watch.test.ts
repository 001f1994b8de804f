import { PassThrough } from "node:stream";
import { WfError } from "@wf/protocol";
import type { Process } from "@wf/transport";
import { afterEach, expect, test } from "vitest";
import { RecordWatch } from "./record-watch.ts";

const life = new AbortController();
afterEach(() => life.abort());

/** A watcher on the site: what it was told, and a way to cut it off. */
class Watcher {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  #end: (error: Error) => void = () => undefined;
  readonly exit = new Promise<never>((_, reject) => {
    this.#end = reject;
  });

  constructor() {
    this.exit.catch(() => undefined);
    this.stdout.write('{"watching":true}\n');
  }

  kill(): void {}

  fail(error: Error): void {
    this.#end(error);
    this.stdout.end();
  }

  async told(): Promise<unknown> {
    for await (const chunk of this.stdin) return JSON.parse(String(chunk));
  }
}

test("a watcher whose connection was cut is started again and told everything; another failure is the end", async () => {
  const watchers: Watcher[] = [];
  let onOpened: (watcher: Watcher) => void = () => undefined;
  const open = async (): Promise<Process> => {
    const watcher = new Watcher();
    watchers.push(watcher);
    onOpened(watcher);
    return watcher;
  };
  const next = () =>
    new Promise<Watcher>((resolve) => {
      onOpened = resolve;
    });
  const broken: unknown[] = [];
  const watch = new RecordWatch(open, {
    ...{ onStarted: () => undefined, onRecord: () => undefined, onLog: () => undefined },
    onBroken: (error) => broken.push(error),
  });
  watch.watch(["a@1", "b@1"]);
  const running = watch.run(life.signal);
  expect(await watchers[0]?.told()).toEqual({ watch: ["a@1", "b@1"] });
  const second = next();
  watchers[0]?.fail(new WfError("WF_SSH_LOST", "The connection was cut"));
  expect(await (await second).told()).toEqual({ watch: ["a@1", "b@1"] });
  expect(broken).toEqual([]);
  const failure = new WfError("WF_SITE_COMMAND", "There is no python3");
  watchers[1]?.fail(failure);
  await running;
  expect(broken).toEqual([failure]);
  expect(watchers).toHaveLength(2);
});
