import { describe, expect, it } from "vitest";
import { colours, wantsColour } from "./colour.ts";

const choice = { flag: true, isTerminal: true, env: {} };

describe("colour", () => {
  it("is for terminals", () => {
    expect(wantsColour(choice)).toBe(true);
    expect(wantsColour({ ...choice, isTerminal: false })).toBe(false);
    expect(wantsColour({ ...choice, env: { TERM: "dumb" } })).toBe(false);
  });

  it("is refused by --no-color and NO_COLOR, whatever else is said", () => {
    expect(wantsColour({ ...choice, flag: false, env: { FORCE_COLOR: "1" } })).toBe(false);
    expect(wantsColour({ ...choice, env: { NO_COLOR: "1", FORCE_COLOR: "1" } })).toBe(false);
  });

  it("takes an empty NO_COLOR as not set", () => {
    expect(wantsColour({ ...choice, env: { NO_COLOR: "" } })).toBe(true);
  });

  it("is forced where there is no terminal", () => {
    expect(wantsColour({ ...choice, isTerminal: false, env: { FORCE_COLOR: "1" } })).toBe(true);
    expect(wantsColour({ ...choice, env: { FORCE_COLOR: "0" } })).toBe(false);
  });

  it("paints or leaves alone", () => {
    expect(colours(choice).red("x")).toBe("\u001b[31mx\u001b[39m");
    expect(colours({ ...choice, flag: false }).red("x")).toBe("x");
  });
});
