import { WfError } from "@wf/protocol";
import { describe, expect, it } from "vitest";
import { errorLine, exitCodeOf, renderError } from "./print-error.ts";

const error = new WfError("WF_INPUT_TYPE", "it is a png file\n1 | code\n  | ^", {
  where: "flow.ts:3",
  hint: "pass a csv file",
});

describe("renderError", () => {
  it("says what, where and what to do next", () => {
    expect(renderError(error, false)).toBe(
      "error[WF_INPUT_TYPE]: it is a png file\n  1 | code\n    | ^\n  at: flow.ts:3\n  next: pass a csv file\n",
    );
  });

  it("paints only where it may", () => {
    expect(renderError(error, true)).toContain("\u001b[31m");
    expect(renderError(error, false)).not.toContain("\u001b");
  });

  it("takes anything else for a bug, with its stack", () => {
    const bug = new TypeError("x is not a function");
    expect(renderError(bug, false)).toMatch(/^error\[WF_INTERNAL\]: TypeError: x is not a function\n\s+at .+/);
    expect(renderError(bug, false)).toContain("please report it");
    expect(renderError("text", false)).toMatch(/^error\[WF_INTERNAL\]: text\n/);
    expect(exitCodeOf(bug)).toBe(70);
  });

  it("takes a full disk for what it is, wherever it struck", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", path: "/a/b" });
    expect(renderError(full, false)).toMatch(
      /^error\[WF_DISK_FULL\]: .*no space left.*\n {2}at: \/a\/b\n {2}next: make room/,
    );
    expect(exitCodeOf(full)).toBe(new WfError("WF_DISK_FULL", "").exitCode);
  });
});

describe("errorLine", () => {
  it("is one JSON object on one line", () => {
    expect(JSON.parse(errorLine(error))).toEqual({
      type: "error",
      code: "WF_INPUT_TYPE",
      message: error.message,
      where: "flow.ts:3",
      hint: "pass a csv file",
    });
    expect(errorLine(error).trimEnd()).not.toContain("\n");
    expect(exitCodeOf(error)).toBe(3);
  });
});
