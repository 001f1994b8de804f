import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../package-script.mjs";
import { installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";

const PACKAGES = ["python3-torch", "libopenblas0-pthread", "python3-numpy", "python3-pil", "python3-pytest"];
const NEEDS = "import torch, numpy, PIL, pytest";

/** An interpreter for the tests of runtimes/python. Debian's own goes first: its PyTorch is small and for CPUs. */
export async function findPython() {
  const found = await firstThatWorks();
  if (found !== undefined) return found;
  const log = openLog(join(root, ".setup/python-for-tests.log"), root);
  const isInstalled = await installDebianPackages(PACKAGES, log.run);
  log.close();
  return isInstalled ? firstThatWorks() : undefined;
}

export const WHAT_TO_TYPE = `sudo apt-get install ${PACKAGES.join(" ")}, or python3 -m pip install torch numpy pillow pytest`;

async function firstThatWorks() {
  for (const python of ["/usr/bin/python3", "python3"]) {
    const isFit = await promisify(execFile)(python, ["-c", NEEDS]).then(
      () => true,
      () => false,
    );
    if (isFit) return python;
  }
}
