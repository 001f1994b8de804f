"""GPUs: text of the vendors' tools, and a stand-in for them. No GPU was at hand.

nvidia-smi-four-busy.csv and rocm-smi-mi100.json hold the figures that others have published of real machines (four
GPUs of 80 GB at work; four idle MI100 under ROCm 6.0.2), as our queries print them. The other two show what the tools'
manuals allow for.
"""

import os
import shutil
import tempfile
import unittest

from wf_launcher.gpu import of_assigned, parse_nvidia, parse_rocm
from wf_launcher.environment import named_gpus
from wf_launcher.workplace import granted_gpus

from .harness import Launcher, shell, waiting_for

RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded")
MEBIBYTE = 1 << 20


def recorded(name):
    with open(os.path.join(RECORDED, name)) as file:
        return file.read()


class Parsers(unittest.TestCase):
    def test_nvidia(self):
        self.assertEqual(
            parse_nvidia(recorded("nvidia-smi.csv")),
            {0: (37, 10240 * MEBIBYTE), 1: (0, 3 * MEBIBYTE), 2: (None, None), 3: (100, 81559 * MEBIBYTE)},
        )

    def test_rocm(self):
        self.assertEqual(parse_rocm(recorded("rocm-smi.json")), {0: (19, 27856896), 1: (None, 482263040)})

    def test_real_machines(self):
        self.assertEqual(
            parse_nvidia(recorded("nvidia-smi-four-busy.csv")),
            {0: (87, 2679 * MEBIBYTE), 1: (0, 5 * MEBIBYTE), 2: (100, 74709 * MEBIBYTE), 3: (0, 1759 * MEBIBYTE)},
        )
        self.assertEqual(parse_rocm(recorded("rocm-smi-mi100.json")), {card: (0, 6750208) for card in range(4)})

    def test_what_cannot_be_read_is_unknown(self):
        for text in ("", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", "{", "[]"):
            self.assertEqual(parse_nvidia(text), {})
        for text in ("", "ERROR", "{", "{}"):
            self.assertEqual(parse_rocm(text), {})

    def test_figures_of_an_attempt(self):
        figures = parse_nvidia(recorded("nvidia-smi.csv"))
        self.assertEqual(of_assigned(figures, [0, 3]), (68.5, (10240 + 81559) * MEBIBYTE))
        self.assertEqual(of_assigned(figures, [0, 2]), (None, None))
        self.assertEqual(of_assigned(figures, [9]), (None, None))
        self.assertEqual(of_assigned({}, [0]), (None, None))

    def test_gpus_that_a_scheduler_granted(self):
        self.assertEqual(granted_gpus({"CUDA_VISIBLE_DEVICES": "2,3"}), [2, 3])
        self.assertEqual(granted_gpus({"ROCR_VISIBLE_DEVICES": "1"}), [1])
        self.assertIsNone(granted_gpus({"CUDA_VISIBLE_DEVICES": "GPU-8932f937"}))
        self.assertIsNone(granted_gpus({}))


    def test_gpus_that_a_scheduler_names(self):
        self.assertEqual(named_gpus({"CUDA_VISIBLE_DEVICES": "GPU-a0, GPU-b1"}), {0: "GPU-a0", 1: "GPU-b1"})
        for words in ("0,1", "10000", ""):
            self.assertEqual(named_gpus({"CUDA_VISIBLE_DEVICES": words}), {})


class StandIn(unittest.TestCase):
    CAPACITY = {"cpus": 4, "memoryBytes": 1 << 40, "gpus": 4}

    def launcher(self, tool=None, script=""):
        """A launcher that finds the tool first in its search path."""
        folder = tempfile.mkdtemp(prefix="wf-gpu-")
        self.addCleanup(shutil.rmtree, folder)
        self.answered = os.path.join(folder, "answered")
        if tool is not None:
            path = os.path.join(folder, tool)
            with open(path, "w") as file:
                file.write("#!/bin/sh\n{}\n: > {}\n".format(script, self.answered))
            os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=folder + ":/usr/bin:/bin")
        launcher = Launcher(capacity=self.CAPACITY, environment=environment)
        self.addCleanup(launcher.close)
        return launcher

    def sampled(self):
        """Shell that goes on when the tool has answered, and its answer has been seen."""
        return waiting_for(self.answered) + "; sleep 2.5"

    def test_nvidia(self):
        launcher = self.launcher("nvidia-smi", "cat {}/nvidia-smi.csv".format(RECORDED))
        launcher.submit(
            launcher.job(shell("two", self.sampled() + "; echo $CUDA_VISIBLE_DEVICES", gpus=2), gpus=2),
            launcher.job(shell("one", "echo $HIP_VISIBLE_DEVICES", gpus=1), gpus=1),
            launcher.job(shell("none", "echo [$CUDA_VISIBLE_DEVICES]")),
        )
        two, one, none = launcher.records("two", "one", "none")
        self.assertEqual((two["gpus"], one["gpus"], none["gpus"]), ([0, 1], [2], []))
        self.assertEqual(launcher.read("two", "stdout"), b"0,1\n")
        self.assertEqual(launcher.read("one", "stdout"), b"2\n")
        self.assertEqual(launcher.read("none", "stdout"), b"[]\n")
        self.assertEqual(two["usage"]["gpuPercent"], 18.5)
        self.assertEqual(two["usage"]["peakGpuMemoryBytes"], 10243 * MEBIBYTE)
        self.assertEqual(two["series"][-1][5:], [18.5, 10243 * MEBIBYTE])
        self.assertEqual(none["usage"]["gpuPercent"], None)
        self.assertEqual(two["leftoverProcesses"], 0)

    def test_rocm(self):
        launcher = self.launcher("rocm-smi", "cat {}/rocm-smi.json".format(RECORDED))
        record = launcher.run_task(shell("a", self.sampled(), gpus=1), gpus=1)
        self.assertEqual((record["usage"]["gpuPercent"], record["usage"]["peakGpuMemoryBytes"]), (19, 27856896))

    def test_a_tool_that_hangs_disturbs_nobody(self):
        launcher = self.launcher("nvidia-smi", "sleep 60")
        record = launcher.run_task(shell("a", "sleep 2.5", gpus=4), gpus=4)
        self.assertEqual(record["state"], "succeeded")
        self.assertIsNone(record["usage"]["gpuPercent"])
        self.assertEqual({tuple(point[5:]) for point in record["series"]}, {(None, None)})

    def test_without_a_tool_the_figures_are_unknown(self):
        launcher = self.launcher()
        record = launcher.run_task(shell("a", "sleep 1.1", gpus=1), gpus=1)
        self.assertIsNone(record["usage"]["peakGpuMemoryBytes"])


if __name__ == "__main__":
    unittest.main()
