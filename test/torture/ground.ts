import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../e2e/project.ts";
import type { Place } from "./place.ts";
import type { Round } from "./round.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { workflowFile } from "./workflow-file.ts";

export const WORKFLOW = "torture.ts";

/** The folders of one round: everything that it starts names one of them in its command, or works in one. */
export interface Ground {
  readonly folder: string;
  readonly project: Project;
  /** Beside the disk that is filled. */
  readonly ledger: string;
  /** Of the site: content and the folders of runs. */
  readonly storage: string;
  readonly disk: SmallDisk | undefined;
  clear(): void;
}

export function makeGround(round: Round, place: Place): Ground {
  process.umask(0);
  const folder = mkdtempSync(join(place.parent, "wf-torture-"));
  chmodSync(folder, 0o777);
  const isLocal = place.name === "local";
  const filled = join(folder, isLocal ? "project" : "storage");
  const needsDisk = round.disturbances.some(({ act }) => act === "fill-disk");
  const disk = needsDisk ? mountSmallDisk(filled) : undefined;
  mkdirSync(filled, { recursive: true });
  const storage = isLocal ? join(filled, ".wf") : filled;
  const project = new Project(join(folder, "project"), {
    [WORKFLOW]: workflowFile(round.shape),
    "sites.yaml": JSON.stringify({ sites: { [place.name]: place.site(storage) } }),
  });
  const clear = () => {
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  return { folder, project, ledger: join(folder, "ledger"), storage, disk, clear };
}
