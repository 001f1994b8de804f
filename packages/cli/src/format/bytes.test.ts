import { expect, it } from "vitest";
import { formatBytes } from "./bytes.ts";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [999.6, "1.00 kB"],
  [1234, "1.23 kB"],
  [99_960, "100 kB"],
  [999_600, "1.00 MB"],
  [4e9, "4.00 GB"],
  [12.34e12, "12.3 TB"],
  [5e18, "5000 PB"],
])("%d bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
