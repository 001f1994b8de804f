import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

export interface WfErrorDetails {
  /** Where: a task, a file and line, a path. */
  readonly where?: string | undefined;
  /** The next thing to type or change. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** What happened, where, why, and what to do next, under a stable code. */
export class WfError extends Error {
  override readonly name = "WfError";
  readonly code: ErrorCode;
  readonly where: string | undefined;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: WfErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.where = details.where;
    this.hint = details.hint;
  }

  get exitCode(): number {
    return ERROR_CODES[this.code][0];
  }

  toJSON(): { code: ErrorCode; message: string; where?: string; hint?: string } {
    return {
      code: this.code,
      message: this.message,
      ...(this.where === undefined ? {} : { where: this.where }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    };
  }
}
