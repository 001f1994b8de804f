import { describe, expect, it } from "vitest";
import { pairs, table } from "./table.ts";
import { textWidth } from "./text-width.ts";

const columns = [
  { title: "stage", minWidth: 6 },
  { title: "tasks", align: "right" },
  { title: "note", minWidth: 4 },
] as const;

describe("table", () => {
  it("aligns by columns of the terminal, numbers on the right", () => {
    const lines = table(
      columns,
      [
        ["split", "1", "x"],
        ["肺", "1,000", ""],
      ],
      { width: undefined },
    );
    expect(lines).toEqual(["stage  tasks  note", "split      1  x", "肺     1,000"]);
  });

  it("shrinks the widest column first and never exceeds the width", () => {
    const rows = [["preprocess-images", "1", "a long explanation of what happened"]];
    for (const width of [60, 40, 30, 20, 12, 5]) {
      for (const line of table(columns, rows, { width })) expect(textWidth(line)).toBeLessThanOrEqual(width);
    }
    expect(table(columns, rows, { width: 40 })[1]).toBe("preprocess-ima…      1  a long explanat…");
    expect(table(columns, rows, { width: 21 })[1]).toBe("prepr…      1  a lon…");
  });

  it("paints the text and not the padding", () => {
    const lines = table([{ title: "a" }, { title: "b" }], [[{ text: "x", paint: (t) => `<${t}>` }, "y"]], {
      width: undefined,
    });
    expect(lines[1]).toBe("<x>  y");
  });

  it("leaves out columns that are empty throughout", () => {
    const three = [{ title: "" }, { title: "" }, { title: "" }];
    expect(
      table(
        three,
        [
          ["", "a", ""],
          ["", "b", "c"],
        ],
        { width: 80 },
      ),
    ).toEqual(["a", "b  c"]);
  });

  it("leaves out empty titles", () => {
    expect(table([{ title: "" }, { title: "" }], [["a", "b"]], { width: 80, indent: "  " })).toEqual(["  a  b"]);
  });
});

describe("pairs", () => {
  it("aligns the values", () => {
    const lines = pairs(
      [
        ["run", "a"],
        ["workflow", "b"],
      ],
      (text) => text,
    );
    expect(lines).toEqual(["run       a", "workflow  b"]);
  });
});
