import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of tests that wait for long: all others run beside them. Where vitest remembers durations, it says the same. */
const LONGEST = ["slurm-slices", "slurm-bad-days", "slurm-daemons"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return found === -1 ? LONGEST.length : found;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
