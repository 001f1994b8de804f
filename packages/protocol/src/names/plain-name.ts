import { z } from "zod";

/** The longest name that Linux gives a file. */
const MOST_BYTES = 255;
const FEW_CHARACTERS = Math.floor(MOST_BYTES / 3);
/** How many steps a path below an artifact has at most; beyond that, paths become longer than systems take. */
export const MOST_DEEP = 256;
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * Whether it is one step of a path, which can neither leave its folder nor go deeper, and which a file can have. What
 * tasks and sites name their files has to be one: names in records, values and manifests become paths on machines that
 * the task never saw. Spaces, quotes and newlines are allowed.
 */
export function isPlainName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0")) return false;
  if (LONE_SURROGATE.test(name)) return false;
  return name.length <= FEW_CHARACTERS || new TextEncoder().encode(name).length <= MOST_BYTES;
}

/** Whether it is a relative path of such names, with `/`, and not deeper than anybody goes. */
export function isPlainPath(path: string): boolean {
  const names = path.split("/");
  return names.length <= MOST_DEEP && names.every(isPlainName);
}

/** `format` is what JSON Schema, which has no functions, says of them. */
export const PlainName = z.string().refine(isPlainName, "not the name of a file").meta({ format: "plain-name" });
export const PlainPath = z
  .string()
  .refine(isPlainPath, "not a path that stays in its folder")
  .meta({ format: "plain-path" });
