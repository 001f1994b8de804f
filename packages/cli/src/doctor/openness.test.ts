import { expect, it } from "vitest";
import { judgeOpenness } from "./openness.ts";

const judge = (mode: number, isShared: boolean) => judgeOpenness({ folder: "/s", mode }, { isShared, says: "fine" });

it.each([
  [0o700, "fine"],
  [0o2770, "fine, shared with its group"],
])("takes a folder of mode %o for private", (mode, says) => {
  expect(judge(mode, false)).toEqual({ health: "ok", says });
});

it.each([
  [0o755, "everybody can look into /s"],
  [0o711, "everybody can look into /s"],
  [0o777, "everybody can write to /s, and so run programs as you"],
  [0o2775, "everybody can look into /s"],
  [0o750, "its group can look into /s"],
  [0o770, "its group can look into /s"],
])("warns of a folder of mode %o, and says how to close it", (mode, says) => {
  expect(judge(mode, false)).toEqual({ health: "warn", says, next: "chmod go-rwx /s" });
});

it("says how to share what the site wants to be shared", () => {
  expect(judge(0o2770, true)).toEqual({ health: "ok", says: "fine, shared with its group" });
  expect(judge(0o2775, true)).toMatchObject({ health: "warn", next: "chmod o-rwx /s" });
  for (const mode of [0o700, 0o770, 0o2750, 0o755]) {
    expect(judge(mode, true)).toMatchObject({
      health: "fail",
      next: "chgrp -R GROUP /s && chmod -R g+rwX,o-rwx /s && find /s -type d -exec chmod g+s '{}' +",
    });
  }
});
