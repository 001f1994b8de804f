import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { type SourceLine, setLocator } from "@wf/core";

const INLINE_MAP = "//# sourceMappingURL=data:application/json;base64,";

/** The bundles that this process has imported, by URL. A map is parsed only when a line is asked for. */
const bundles = new Map<string, () => TraceMap | undefined>();

/**
 * From now on, errors that are thrown from this bundle name lines of the files that it was made of. Files are named
 * as the bundle names them: relative to the project, the same on every machine.
 */
export function locateBundle(url: string, bundle: string): void {
  let map: TraceMap | undefined;
  bundles.set(url, () => {
    map ??= parseInlineMap(bundle);
    return map;
  });
  setLocator(({ url: frameUrl, line, column }) => sourceLineOf(frameUrl, line, column - 1));
}

/** A line of the user's own; code of packages is not theirs. Lines count from 1, columns from 0. */
export function sourceLineOf(url: string, line: number, column: number): SourceLine | undefined {
  const map = bundles.get(url)?.();
  if (!map) return undefined;
  const position = originalPositionFor(map, { line, column });
  if (position.source === null || position.source.split("/").includes("node_modules")) return undefined;
  return { file: position.source, line: position.line };
}

function parseInlineMap(bundle: string): TraceMap | undefined {
  const start = bundle.lastIndexOf(INLINE_MAP);
  if (start === -1) return undefined;
  return new TraceMap(Buffer.from(bundle.slice(start + INLINE_MAP.length), "base64").toString("utf8"));
}
