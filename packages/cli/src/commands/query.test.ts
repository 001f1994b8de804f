import { StoreFixture } from "@wf/run/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { query } from "./query.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

const SQL = "SELECT 'a\nb' AS text, 1.5 AS number, NULL AS none UNION ALL SELECT 'long, text', 1000, NULL";

it("prints a table with numbers on the right and nothing that moves the cursor", async () => {
  const screen = new CapturedScreen();
  await query(SQL, fixture.options, screen);
  expect(screen.lines).toEqual(["text        number  none", "a\\nb           1.5     -", "long, text    1000     -"]);
});

it("never exceeds the width of a terminal", async () => {
  const screen = new CapturedScreen(20);
  await query("SELECT 'some long text here' AS a, 'another long text' AS b", fixture.options, screen);
  for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(20);
});

it("prints CSV and JSON", async () => {
  const csv = new CapturedScreen();
  await query(SQL, { ...fixture.options, format: "csv" }, csv);
  expect(csv.text).toBe('text,number,none\n"a\nb",1.5,\n"long, text",1000,\n');
  for (const options of [{ format: "json" }, { json: true }] as const) {
    const json = new CapturedScreen();
    await query(SQL, { ...fixture.options, ...options }, json);
    expect(json.json).toEqual([
      { text: "a\nb", number: 1.5, none: null },
      { text: "long, text", number: 1000, none: null },
    ]);
  }
});

it("refuses what would change the store", async () => {
  const screen = new CapturedScreen();
  await expect(query("DELETE FROM runs", fixture.options, screen)).rejects.toMatchObject({ code: "WF_QUERY" });
});
