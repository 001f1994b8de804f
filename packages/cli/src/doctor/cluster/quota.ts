import { formatBytes } from "../../format/bytes.ts";

/** What a user may still use of a file system. */
export interface Quota {
  readonly fileSystem: string;
  readonly usedBytes: number;
  /** Null: no limit. */
  readonly limitBytes: number | null;
  readonly usedFiles: number;
  readonly limitFiles: number | null;
  readonly isNearlyFull: boolean;
}

const NEARLY = 0.95;
const ROW = /^\s*(\/\S+|\S+:\S+)\s+(\d+)\*?\s+(\d+)\s+(\d+)\s+\S+\s+(\d+)\*?\s+(\d+)\s+(\d+)/gm;

/** Rows of `quota -wp` and of `lfs quota -q`: kilobytes, soft and hard limit, grace; then the same of files. */
export function parseQuotas(text: string): readonly Quota[] {
  return [...text.matchAll(ROW)].map((match) => {
    const [usedBlocks, softBlocks, hardBlocks, usedFiles, softFiles, hardFiles] = match.slice(2).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const limitBlocks = softBlocks || hardBlocks || null;
    const limitFiles = softFiles || hardFiles || null;
    return {
      fileSystem: match[1] as string,
      usedBytes: usedBlocks * 1024,
      limitBytes: limitBlocks === null ? null : limitBlocks * 1024,
      usedFiles,
      limitFiles,
      isNearlyFull:
        (limitBlocks !== null && usedBlocks > limitBlocks * NEARLY) ||
        (limitFiles !== null && usedFiles > limitFiles * NEARLY),
    };
  });
}

export function showQuota({ fileSystem, usedBytes, limitBytes, usedFiles, limitFiles }: Quota): string {
  const bytes = limitBytes === null ? [] : [`${formatBytes(usedBytes)} of ${formatBytes(limitBytes)}`];
  const files = limitFiles === null ? [] : [`${usedFiles} of ${limitFiles} files`];
  return `${fileSystem} is nearly used up: ${[...bytes, ...files].join(", ")}`;
}
