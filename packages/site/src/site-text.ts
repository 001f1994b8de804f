import { z } from "zod";

/** A value of a directive: it may not begin another one. */
export const Word = z.string().regex(/^[^\s"'\\#]+$/, "must be one word, without quotes");
export const Line = z.string().regex(/^[^\n\r]+$/, "must be one line");
/** A shell with its options. */
export const Shell = Line.regex(/^\//, "must be an absolute path");
