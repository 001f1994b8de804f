"""Sandboxes are used again, and nobody can tell."""

import os
import shutil
import tempfile
import unittest

from .harness import Launcher, LauncherCase, link, output, shell

LEAVINGS = [
    "true",
    "touch left",
    "mkdir -p tmp/left/deep",
    "rmdir tmp; ln -s / tmp",
    "touch ../left",
    "chmod 700 tmp",
    "chmod 700 .",
    "rm ../stdout",
    "rm ../task.json; touch ../task.json",
    "rmdir tmp",
    "mkdir locked; touch locked/x; chmod 500 locked",
    "echo printed",
    "echo '{\"a\":1}' > $WF_METRICS",
]
LOOK = """
[ "$(ls -A)" = tmp ] && [ -z "$(ls -A tmp)" ] && [ ! -L tmp ] && [ "$(stat -c %a . tmp | sort -u)" = 755 ] &&
[ "$(ls -A .. | tr '\\n' ' ')" = "sandbox stderr stdout task.json " ] && [ ! -s ../task.json ] || exit 9
"""


class Spares(LauncherCase):
    """Those that must be looked through."""

    @classmethod
    def options(cls):
        return {"prelude": "from wf_launcher import sandbox; sandbox._FINE_SECONDS = 60"}

    def look_and_leave(self, rounds):
        attempts = [self.new() for _ in range(rounds * len(LEAVINGS))]
        jobs = []
        for index, attempt in enumerate(attempts):
            jobs.append(self.launcher.job(shell(attempt, LOOK + LEAVINGS[index % len(LEAVINGS)], keepSandbox="never")))
        self.launcher.submit(*jobs)
        for attempt, record in zip(attempts, self.launcher.records(*attempts)):
            self.assert_succeeded(record)
        return attempts

    def test_nothing_that_a_task_leaves_is_found_by_another(self):
        attempts = self.look_and_leave(rounds=3)
        left = sorted(name for name in os.listdir(self.launcher.folder + "/attempts") if not name.startswith("."))
        keeps = [LEAVINGS.index(leaving) for leaving in LEAVINGS if "../left" in leaving or "echo" in leaving]
        self.assertEqual(left, sorted(a for i, a in enumerate(attempts) if i % len(LEAVINGS) in keeps))
        printed = attempts[LEAVINGS.index("echo printed")]
        self.assertEqual(self.launcher.read(printed, "stdout"), b"printed\n")

    def test_inputs_and_outputs_are_gone_as_well(self):
        value = self.launcher.file_value(b"x")
        for _ in range(5):
            record = self.run_shell(
                "cp in/x out/y; cat in/x > other", inputs=[link("x", "in/x", value)], outputs=[output("y", "out/y")]
            )
            self.assert_succeeded(record)
            self.assert_succeeded(self.run_shell(LOOK, keepSandbox="never"))


class OldSpares(Spares):
    """Those whose times tell that they are untouched."""

    @classmethod
    def options(cls):
        return {"prelude": "from wf_launcher import sandbox; sandbox._FINE_SECONDS = 0.02"}


class DeadLauncher(unittest.TestCase):
    def test_spares_of_a_dead_launcher_are_removed(self):
        storage = tempfile.mkdtemp(prefix="wf-launcher-")
        self.addCleanup(shutil.rmtree, storage, True)
        first = Launcher(storage=storage)
        self.addCleanup(first.close)
        first.run_task(shell("a", "true"))
        folder = os.path.join(first.folder, "attempts")
        self.assertEqual(len(os.listdir(folder)), 1)
        first.kill()
        second = Launcher(storage=storage)
        self.addCleanup(second.close)
        self.assertEqual(os.listdir(folder), [])
        second.run_task(shell("b", "true"))
        second.send({"op": "release"})
        second.wait_for_end()
        self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
