import { ACTS, type Act } from "./disturbance.ts";
import type { RoundReport } from "./run-round.ts";

const KILLS: ReadonlySet<Act> = new Set(["kill-wf", "kill-launcher", "kill-task", "kill-all", "kill-daemon"]);

export function countKills(acts: readonly Act[]): number {
  return acts.filter((act) => KILLS.has(act)).length;
}

/** All that was done and found so far. */
export class Tally {
  rounds = 0;
  tasks = 0;
  resumes = 0;
  violations = 0;
  readonly acts: Act[] = [];

  add({ acts, tasks, resumes, broken }: RoundReport): void {
    this.rounds += 1;
    this.tasks += tasks;
    this.resumes += resumes;
    this.violations += broken.length;
    this.acts.push(...acts);
  }

  get kills(): number {
    return countKills(this.acts);
  }

  table(seconds: number): string {
    const rows: [string, number][] = [
      ["rounds", this.rounds],
      ["tasks started", this.tasks],
      ["kills", this.kills],
      ...ACTS.map((act): [string, number] => [`  ${act}`, this.acts.filter((done) => done === act).length]),
      ["resumes", this.resumes],
      ["violations", this.violations],
      ["seconds", Math.round(seconds)],
    ];
    return rows.map(([name, count]) => `${name.padEnd(16)}${String(count).padStart(8)}`).join("\n");
  }
}
