import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { it } from "vitest";

const OWN = fileURLToPath(new URL("../../runtimes/python/.venv/bin/python3", import.meta.url));
const LOOK = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ('torch', 'numpy', 'PIL'))))";
const hasPyTorch = [OWN, "/usr/bin/python3", "python3"].some((python) => spawnSync(python, ["-c", LOOK]).status === 0);
if (!hasPyTorch)
  console.warn(
    "SKIPPED: trainings: no Python has torch, numpy and pillow. Type: sudo apt-get install python3-torch python3-pil",
  );

/** A test that trains. The test command brings PyTorch where it can; a test that fetched it would wait for that alone. */
export const itWithPyTorch = it.skipIf(!hasPyTorch);
