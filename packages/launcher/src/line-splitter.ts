const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines of UTF-8 text. The bytes of an unfinished line are kept as they came and
 * joined once, so that a very long line costs time in proportion to its length.
 */
export function createLineSplitter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let unfinished: Buffer[] = [];
  return (chunk) => {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      unfinished.push(chunk);
      return;
    }
    const whole = chunk.subarray(0, end);
    const text =
      unfinished.length === 0 ? whole.toString("utf8") : Buffer.concat([...unfinished, whole]).toString("utf8");
    unfinished = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    for (const line of text.split("\n")) if (line !== "") onLine(line);
  };
}
