import json
import os
import shutil
import sys
import unittest

from tests.harness import LauncherCase, is_running, output, python_task, shell, task, wait_until

TWO = {"nodes": 1, "perNode": 2, "launch": None}
TWO_NODES = {"nodes": 2, "perNode": 1, "launch": None}


class RanksCase(LauncherCase):
    def ranks(self, script, **more):
        return self.launcher.run_task(shell(self.new(), script, **dict({"ranks": TWO, "cpus": 2}, **more)), cpus=2)


class Worlds(RanksCase):
    def test_every_rank_knows_who_it_is_and_shares_the_sandbox(self):
        script = 'echo "$WF_RANK $WF_WORLD_SIZE $WF_LOCAL_RANK $RANK $WORLD_SIZE $LOCAL_RANK $WF_CPUS" > out/$WF_RANK'
        outputs = [output("said", "out", "directory")]
        record = self.ranks(script, outputs=outputs)
        self.assert_succeeded(record)
        said = self.launcher.manifest(record["outputs"]["said"])
        texts = [self.launcher.object(entry["hash"]).decode() for entry in said["entries"]]
        self.assertEqual(texts, ["0 2 0 0 2 0 1\n", "1 2 1 1 2 1 1\n"])

    def test_nodes_of_one_machine_are_ranks_of_it(self):
        record = self.ranks("test $WF_LOCAL_RANK = $WF_RANK", ranks=TWO_NODES)
        self.assert_succeeded(record)
        self.assertEqual([rank["localRank"] for rank in record["ranks"]], [0, 1])

    def test_all_ranks_have_one_place_to_meet(self):
        script = 'echo "$WF_RENDEZVOUS $MASTER_ADDR $MASTER_PORT" > out/$WF_RANK; touch "$WF_RENDEZVOUS"'
        record = self.ranks(script, outputs=[output("said", "out", "directory")])
        self.assert_succeeded(record)
        files = self.launcher.manifest(record["outputs"]["said"])["entries"]
        places = {self.launcher.object(entry["hash"]) for entry in files}
        self.assertEqual(len(places), 1)
        rendezvous, address, port = places.pop().decode().split()
        self.assertEqual(rendezvous, self.launcher.attempt_path(record["attempt"], "rendezvous"))
        self.assertEqual(address, "127.0.0.1")
        self.assertGreater(int(port), 0)
        self.assertFalse(os.path.exists(rendezvous))

    def test_a_rank_gets_the_environment_of_its_task_and_no_more(self):
        env = {"MODE": "fast", "TOKEN": "s3cret"}
        record = self.ranks("env | cut -d= -f1 | sort | tr '\\n' ' '", env=env, secrets=["TOKEN"])
        names = set(self.launcher.read(record["attempt"], "stdout").decode().split())
        self.assertLessEqual({"MODE", "TOKEN", "PATH", "TMPDIR", "WF_ATTEMPT"}, names)
        self.assertFalse({name for name in names if name.startswith(("PYTHON", "SLURM"))})
        for folder, _, files in os.walk(self.launcher.folder):
            for name in set(files) - {os.path.basename(self.launcher.socket_path)}:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(b"s3cret", file.read(), name)

    def test_gpus_of_a_node_are_seen_by_all_its_ranks(self):
        self.launcher.disconnect()
        self.launcher.connect({"cpus": 4, "memoryBytes": 1 << 40, "gpus": 4})
        spec = shell(self.new(), "echo $CUDA_VISIBLE_DEVICES", ranks=TWO, cpus=2, gpus=4)
        record = self.launcher.run_task(spec, cpus=2, gpus=4)
        self.assert_succeeded(record)
        self.assertEqual(self.launcher.read(record["attempt"], "ranks", "1.stdout"), b"0,1,2,3\n")


class Records(RanksCase):
    def test_every_rank_is_measured_and_the_task_is_their_sum(self):
        burn = "import os, time\nend = time.process_time() + (0.3 if os.environ['WF_RANK'] == '1' else 0.1)\n"
        burn += "while time.process_time() < end: pass"
        record = self.launcher.run_task(python_task(self.new(), burn, ranks=TWO, cpus=2), cpus=2)
        self.assert_succeeded(record)
        first, second = record["ranks"]
        self.assertEqual([first["rank"], second["rank"]], [0, 1])
        self.assertNotEqual(first["pid"], second["pid"])
        self.assertEqual([first["exitCode"], second["exitCode"]], [0, 0])
        self.assertGreaterEqual(second["usage"]["userSeconds"] + second["usage"]["systemSeconds"], 0.29)
        for name in ("userSeconds", "peakMemoryBytes", "minorFaults", "readBytes"):
            self.assertAlmostEqual(record["usage"][name], first["usage"][name] + second["usage"][name], places=5)

    def test_every_rank_has_its_own_log_and_the_first_speaks_for_the_task(self):
        script = 'echo "out $WF_RANK"; echo "err $WF_RANK" >&2; echo "{\\"loss\\": $WF_RANK}" >> "$WF_METRICS"'
        record = self.ranks(script)
        self.assert_succeeded(record)
        attempt = record["attempt"]
        self.assertEqual(self.launcher.read(attempt, "stdout"), b"out 0\n")
        self.assertEqual(self.launcher.read(attempt, "stderr"), b"err 0\n")
        self.assertEqual(self.launcher.read(attempt, "ranks", "1.stdout"), b"out 1\n")
        self.assertEqual(self.launcher.read(attempt, "ranks", "1.stderr"), b"err 1\n")
        self.assertEqual(record["metrics"], [{"loss": 0}])
        kept = os.listdir(self.launcher.attempt_path(attempt, "ranks"))
        self.assertEqual(sorted(kept), ["1.jsonl", "1.stderr", "1.stdout"])

    def test_ranks_that_say_nothing_leave_nothing(self):
        record = self.ranks("true")
        self.assert_succeeded(record)
        self.assertFalse(os.path.exists(self.launcher.attempt_path(record["attempt"])))

    def test_what_ranks_use_over_time_is_summed(self):
        hold = "import time\nblock = bytearray(30 << 20)\n"
        hold += "for i in range(0, len(block), 4096): block[i] = 1\ntime.sleep(4)"
        record = self.launcher.run_task(python_task(self.new(), hold, ranks=TWO, cpus=2), cpus=2)
        self.assert_succeeded(record)
        self.assertGreaterEqual(max(point[2] for point in record["series"]), 60 << 20)


class Failures(RanksCase):
    def test_a_rank_that_fails_ends_the_others_and_is_named(self):
        script = 'if [ "$WF_RANK" = 1 ]; then echo "no data for rank 1" >&2; exit 3; fi; echo $$ > pid; exec sleep 100'
        record = self.ranks(script, keepSandbox="always")
        self.assert_failed(record, "exit", "rank 1 of 2 on ", "exit status 3")
        self.assertEqual(record["failure"]["rank"], 1)
        self.assertEqual(record["ranks"][1]["exitCode"], 3)
        self.assertEqual(record["ranks"][0]["signal"], "SIGTERM")
        attempt = record["attempt"]
        self.assertEqual(self.launcher.read(attempt, "ranks", "1.stderr"), b"no data for rank 1\n")
        path = self.launcher.attempt_path(attempt, "sandbox", "pid")
        if os.path.exists(path):
            with open(path) as file:
                self.assertFalse(is_running(int(file.read())))

    def test_a_command_that_does_not_exist_is_named_with_its_rank(self):
        record = self.launcher.run_task(task(self.new(), ["no-such-program"], ranks=TWO, cpus=2), cpus=2)
        self.assert_failed(record, "not-started", "rank ", "no-such-program")

    def test_a_rank_that_was_killed_with_its_keeper_is_missed(self):
        spec = shell(self.new(), "test $WF_RANK = 0 && sleep 100; kill -9 $PPID", ranks=TWO, cpus=2)
        record = self.launcher.run_task(spec, cpus=2)
        self.assert_failed(record, "lost", "rank 1 of 2 left no record")
        self.assertIsNone(record["ranks"][1]["host"])
        self.assertIsNone(record["usage"]["userSeconds"])

    def test_a_time_limit_ends_all_ranks(self):
        record = self.ranks("exec sleep 100", timeLimitSeconds=6)
        self.assert_failed(record, "time-limit")
        self.assertEqual([rank["signal"] for rank in record["ranks"]], ["SIGTERM", "SIGTERM"])

    def test_ranks_that_do_not_listen_are_killed_after_their_grace(self):
        record = self.ranks("trap '' TERM; while :; do sleep 0.1; done", timeLimitSeconds=1, graceSeconds=0.5)
        self.assert_failed(record, "time-limit")
        self.assertFalse([pid for pid in (rank["pid"] for rank in record["ranks"]) if pid and is_running(pid)])

    def test_a_warning_reaches_every_rank_that_listens_once(self):
        script = "import os, signal, time\nseen = []\nsignal.signal(signal.SIGUSR2, lambda *_: seen.append(1))\n"
        script += "end = time.time() + 60\nwhile not seen and time.time() < end: time.sleep(0.05)\n"
        script += "time.sleep(0.5)\nopen('out/' + os.environ['WF_RANK'], 'w').write(str(len(seen)))"
        outputs = [output("said", "out", "directory")]
        spec = python_task(self.new(), script, ranks=TWO, cpus=2, timeLimitSeconds=60, warnSeconds=58, outputs=outputs)
        record = self.launcher.run_task(spec, cpus=2)
        self.assert_succeeded(record)
        files = self.launcher.manifest(record["outputs"]["said"])["entries"]
        self.assertEqual([self.launcher.object(entry["hash"]) for entry in files], [b"1", b"1"])

    def test_a_cancelled_task_has_no_rank_left(self):
        spec = shell(self.new(), "echo $$ > out/$WF_RANK; exec sleep 100", ranks=TWO, cpus=2, keepSandbox="always")
        spec["outputs"] = [output("said", "out", "directory")]
        self.launcher.submit(self.launcher.job(spec, cpus=2))
        self.launcher.started(spec["attempt"])
        files = [self.launcher.attempt_path(spec["attempt"], "sandbox", "out", rank) for rank in "01"]
        wait_until(lambda: all(os.path.exists(path) and os.path.getsize(path) for path in files), "both ranks")
        pids = [int(self.launcher.read(spec["attempt"], "sandbox", "out", rank)) for rank in "01"]
        self.launcher.send({"op": "cancel", "attempts": [spec["attempt"]]})
        record = self.launcher.records(spec["attempt"])[0]
        self.assert_failed(record, "cancelled")
        self.assertFalse([pid for pid in pids if is_running(pid)])

    def test_a_program_that_is_to_start_the_ranks_and_is_not_there_is_named(self):
        ranks = dict(TWO, launch="mpirun")
        record = self.ranks("true", ranks=ranks, env={"PATH": "/nowhere"})
        self.assert_failed(record, "not-started", "there is no mpirun on its PATH")

    def test_a_distributed_task_is_alone_in_its_job(self):
        spec = shell(self.new(), "true", ranks=TWO)
        self.launcher.submit(self.launcher.job(spec, shell(self.new(), "true")))
        said = self.launcher.wait_for(lambda event: event["event"] == "error", "an error")
        self.assertIn("not alone in its job", said["message"])

    def test_a_kept_sandbox_says_how_to_start_all_ranks_again(self):
        record = self.ranks("test $WF_RANK = 0")
        command = json.loads(self.launcher.read(record["attempt"], "command.json").decode())
        self.assertEqual(command["argv"][0], sys.executable)
        self.assertEqual(command["argv"][-2], "ranks")
        self.assertTrue(os.path.exists(command["argv"][-1]))


class OtherStarters(RanksCase):
    """Programs of others that start ranks. Each is tried where it is installed."""

    @classmethod
    def options(cls):
        return {"environment": dict(os.environ, PATH="/usr/bin:/bin:" + os.environ["PATH"])}

    def check(self, launch, **env):
        if shutil.which(launch, path="/usr/bin:/bin:" + os.environ["PATH"]) is None:
            self.skipTest("there is no " + launch)
        script = 'echo "$WF_RANK of $WF_WORLD_SIZE" > out/$WF_RANK; test "$WF_RANK" = 0 || exit $CODE'
        outputs = [output("said", "out", "directory")]
        ranks = dict(TWO, launch=launch)
        record = self.ranks(script, ranks=ranks, env=dict(env, CODE="0"), outputs=outputs)
        self.assert_succeeded(record)
        self.assertEqual([rank["exitCode"] for rank in record["ranks"]], [0, 0])
        files = self.launcher.manifest(record["outputs"]["said"])["entries"]
        self.assertEqual([self.launcher.object(entry["hash"]) for entry in files], [b"0 of 2\n", b"1 of 2\n"])
        record = self.ranks(script, ranks=ranks, env=dict(env, CODE="3"))
        self.assert_failed(record, "exit", "rank 1 of 2", "exit status 3")

    def test_torchrun(self):
        self.check("torchrun")

    def test_mpirun(self):
        as_root = dict.fromkeys(("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), "1")
        self.check("mpirun", OMPI_MCA_rmaps_base_oversubscribe="1", **as_root)


if __name__ == "__main__":
    unittest.main()
