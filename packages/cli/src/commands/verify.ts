import { ObjectStore } from "@wf/data";
import { EXIT, WfError } from "@wf/protocol";
import { findProject, holdContent, siteFor, verifySite } from "@wf/run";
import type { Store } from "@wf/store";
import type { VerifyOptions } from "../command-options.ts";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";
import { type DamagedContent, type VerifyReport, verifyStore, withMakers } from "../looking/verify-store.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

const toStderr = (text: string) => screenOf(process.stderr).write(`${printable(text)}\n`);

/**
 * Reads content again and compares it with its hash: of a run, of the whole store, or of a site's storage. What is
 * damaged goes into quarantine. The exit code says whether all was sound.
 */
export async function verify(
  run: string | undefined,
  options: VerifyOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  if ([run, options.all, options.site].filter((one) => one !== undefined).length > 1) {
    throw new WfError("WF_USAGE", "a run, --all and --site exclude each other", { hint: "wf verify --all" });
  }
  return withStore(
    options,
    async (store) => {
      await holdContent(store, toStderr);
      const report = await reportOf(store, run, options);
      if (options.json) printJson(screen, report);
      else printLines(screen, reportLines(report, screen));
      return isSound(report) ? EXIT.ok : EXIT.runFailed;
    },
    { isReadonly: false },
  );
}

async function reportOf(store: Store, run: string | undefined, options: VerifyOptions): Promise<VerifyReport> {
  const objects = new ObjectStore(store.folder);
  if (options.site === undefined) {
    return await verifyStore(store, objects, options.all === true ? undefined : store.findRun(run ?? "last"));
  }
  const site = siteFor(findProject(process.cwd(), options.store).root, options.site, undefined);
  const { objects: there, records } = await verifySite(site, toStderr);
  return {
    database: [],
    objects: { checked: there.checked, elsewhere: 0, damaged: withMakers(store, objects, there.damaged) },
    records,
  };
}

function isSound({ database, objects, records }: VerifyReport): boolean {
  return database.length + objects.damaged.length + records.damaged.length === 0;
}

function reportLines({ database, objects, records }: VerifyReport, screen: Screen): string[] {
  const { colours } = screen;
  const bad = (text: string) => colours.red(`✗ ${text}`);
  const checked = [counted(objects.checked, "object"), counted(records.checked, "record")].join(", ");
  const elsewhere = objects.elsewhere === 0 ? "" : `; ${counted(objects.elsewhere, "object")} not here`;
  const isAll = isSound({ database, objects, records });
  return [
    ...database.map((line) => bad(`the database: ${printable(line)}`)),
    ...objects.damaged.flatMap((damaged) => [bad(`object ${damaged.hash} is damaged`), ...fromLines(damaged)]),
    ...records.damaged.map((record) => bad(`the record ${printable(record)} cannot be read`)),
    `${isAll ? colours.green("✓ sound") : colours.red("✗ damaged")}  ${checked}${elsewhere}`,
    ...(objects.damaged.length + records.damaged.length === 0
      ? []
      : [colours.gray("  what is left of it lies in quarantine; the next run makes or reads again what it needs")]),
    ...(database.length === 0
      ? []
      : [`  ${colours.gray("next")}  move wf.db away and run again: results are made anew, content stays`]),
  ];
}

function fromLines({ from }: DamagedContent): string[] {
  if (from.length === 0) return ["    no run refers to it"];
  return from.map(({ run, task, input }) =>
    task === null ? `    is read again: input ${input} of ${run}` : `    runs again: ${task} of ${run}`,
  );
}
