import { localRunFolder } from "@wf/protocol";
import { readDocument, writeDocument } from "@wf/transport";
import { QueueState } from "./queue-state.ts";

const TELL_MS = 2000;

function fileOf(folder: string, run: string): string {
  return localRunFolder(folder, run).queue;
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
    writeDocument(file, text);
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
  // Another version of wf may have written it.
  return QueueState.safeParse(readDocument(fileOf(folder, run))).data;
}
