import { afterEach, expect, test } from "vitest";
import { lineOfError, setLocator } from "./index.ts";

afterEach(() => setLocator(() => undefined));

function at(...frames: string[]): unknown {
  const error = new Error("x");
  error.stack = ["Error: x", ...frames.map((frame) => `    at ${frame}`)].join("\n");
  return lineOfError(error);
}

test.each([
  "build (/home/ann/lung.ts:12:5)",
  "/home/ann/lung.ts:12:5",
  "async build (/home/ann/lung.ts:12:5)",
  "async /home/ann/lung.ts:12:5",
  "Object.build [as x] (/home/ann/lung.ts:12:5)",
  "build (/home/ann/lung.ts:12:5)",
])("the frame %j is read", (frame) => {
  setLocator(({ url, line, column }) => ({ file: `${url} ${column}`, line }));
  expect(at(frame)).toEqual({ file: "/home/ann/lung.ts 5", line: 12 });
});

test.each(["/my data/a (old)/lüng.ts", "file:///my%20data/lung.ts", "/a:1:2/lung.ts"])(
  "a file at %j keeps its name",
  (path) => {
    setLocator(({ url, line }) => ({ file: url, line }));
    expect(at(`build (${path}:3:1)`)).toEqual({ file: path, line: 3 });
    expect(at(`${path}:3:1`)).toEqual({ file: path, line: 3 });
  },
);

test("frames that are not the user's are passed over", () => {
  setLocator(({ url, line }) => (url.endsWith("lung.ts") ? { file: "lung.ts", line } : undefined));
  expect(at("callTask (/wf/core.js:1:1)", "native", "build (/lung.ts:7:1)", "main (/lung.ts:99:1)")).toEqual({
    file: "lung.ts",
    line: 7,
  });
  expect(at("callTask (/wf/core.js:1:1)")).toBeUndefined();
  expect(lineOfError("no error")).toBeUndefined();
});
