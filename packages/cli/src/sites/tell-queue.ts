import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { QueueState } from "./queue-state.ts";

const TELL_MS = 2000;

function fileOf(folder: string, run: string): string {
  return join(folder, "runs", run, "queue.json");
}

/** Keeps what the scheduler says where other processes find it. Returns how to stop. */
export function tellQueue(
  { folder, run }: { readonly folder: string; readonly run: string },
  ask: () => QueueState,
  onChange: (state: QueueState) => void,
): () => void {
  const file = fileOf(folder, run);
  let told = "";
  const tell = () => {
    const state = ask();
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
    onChange(state);
  };
  const timer = setInterval(tell, TELL_MS);
  return () => {
    clearInterval(timer);
    tell();
  };
}

/** What the owner of a run last heard from the scheduler; undefined where there is none. */
export function toldQueue(folder: string, run: string): QueueState | undefined {
  let text: string;
  try {
    text = readFileSync(fileOf(folder, run), "utf8");
  } catch {
    return undefined;
  }
  return QueueState.parse(JSON.parse(text));
}
