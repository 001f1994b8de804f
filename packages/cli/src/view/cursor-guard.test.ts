import { afterEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { CursorGuard } from "./cursor-guard.ts";

const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";
const SIGNALS = ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP", "SIGCONT"] as const;

const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));
const before = listeners();
afterEach(() => expect(listeners()).toEqual(before));

it("hides the cursor and gives it back", () => {
  const screen = new CapturedScreen();
  const guard = new CursorGuard(screen, () => {});
  guard.hide();
  expect(screen.text).toBe(HIDE);
  guard.restore();
  expect(screen.text).toBe(HIDE + SHOW);
});

it("leaves a signal to whoever else listens, and the view goes on", () => {
  const screen = new CapturedScreen();
  const guard = new CursorGuard(screen, () => {});
  const heard: string[] = [];
  const listener = () => heard.push("SIGTERM");
  process.on("SIGTERM", listener);
  guard.hide();
  process.emit("SIGTERM", "SIGTERM");
  expect([heard, screen.text]).toEqual([["SIGTERM"], HIDE]);
  guard.restore();
  process.off("SIGTERM", listener);
});

it("hides it again and redraws when a stopped process goes on", () => {
  const screen = new CapturedScreen();
  let redraws = 0;
  const guard = new CursorGuard(screen, () => {
    redraws += 1;
  });
  guard.hide();
  process.emit("SIGCONT", "SIGCONT");
  expect([redraws, screen.text]).toEqual([1, HIDE + HIDE]);
  guard.restore();
});
