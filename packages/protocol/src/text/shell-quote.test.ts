import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { shellLine, shellQuote } from "./shell-quote.ts";

describe("shell quoting", () => {
  it("leaves plain words alone", () => {
    expect(shellLine(["python3", "train.py", "--lr=0.1", "/a/b"])).toBe("python3 train.py --lr=0.1 /a/b");
    expect(shellQuote("")).toBe("''");
  });

  it("survives a real shell", () => {
    const awkward = [
      "a b",
      "it's",
      "'all' of 'it'",
      '"x"',
      "$HOME",
      "`id`",
      "new\nline",
      "back\\slash",
      "肺",
      "*",
      "~",
      "",
      "-n",
      "a;b",
      "!x",
      "{a,b}",
    ];
    const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${shellLine(awkward)}`], { encoding: "utf8" });
    expect(printed.split("\0").slice(0, -1)).toEqual(awkward);
  });
});
