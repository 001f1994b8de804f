/** What stops a set-up, in the words of the person who has to act: what happened, why, what to type. */
export class SetupProblem extends Error {
  /**
   * @param {string} what
   * @param {{ why: string, type: string, log?: string }} advice
   */
  constructor(what, { why, type, log = "" }) {
    super(what);
    this.why = why;
    this.type = type;
    this.log = log;
  }

  toString() {
    const lines = [`wf: set-up failed: ${this.message}`, `  why:  ${this.why}`, `  type: ${this.type}`];
    if (this.log !== "")
      lines.push("  .setup/setup.log ends with:", ...tail(this.log, 25).map((line) => `  | ${line}`));
    return lines.join("\n");
  }
}

function tail(text, count) {
  return text.trimEnd().split("\n").slice(-count);
}
