"""Nodes of an exported DAG, run one by one as DAGMan would."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from tests.harness import ROOT, START, output, read_record, task

FOR_GOOD = 65


def dag_task(name, argv, inputs=None, params=None, metrics=(), **more):
    spec = task("unused", argv, **more)
    del spec["attempt"]
    later = {"inputs": inputs or {}, "params": params or {}}
    return dict(spec, task=name, later=later, metrics=list(metrics), secretNames={})


def of(name, output_name="out"):
    return {"op": "output", "task": name, "name": output_name}


def later(formula, is_many=False):
    return {"from": formula, "how": "link", "isMany": is_many}


class DagCase(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-dag-")
        self.addCleanup(shutil.rmtree, self.storage)

    def write(self, path, document):
        path = os.path.join(self.storage, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            json.dump(document, file)

    def node(self, name, *tasks):
        job = {"version": 1, "run": "r", "job": name, "cpus": 1, "memoryBytes": 0, "gpus": 0, "tasks": tasks}
        self.write("nodes/{}.json".format(name), job)

    def dag(self, *words):
        """(exit status, what it says)"""
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", START.format(ROOT, "pass"), "dag"] + list(words),
            cwd=self.storage,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"]},
        )
        return done.returncode, done.stderr.decode("utf-8")

    def succeed(self, *words):
        code, says = self.dag(*words)
        self.assertEqual(code, 0, says)

    def read(self, path):
        with open(os.path.join(self.storage, path)) as file:
            return file.read()

    def record(self, attempt):
        return read_record(os.path.join(self.storage, "runs/r/records/{}.json".format(attempt)))

    def attempts(self):
        return sorted(os.listdir(self.storage + "/runs/r/claims"))


def prints(name, text):
    script = "printf %s '{}' > out.txt".format(text)
    return dag_task(name, ["sh", "-c", script], outputs=[output("out", "out.txt")])


class NodeTest(DagCase):
    def test_a_node_reads_what_an_earlier_one_has_made(self):
        self.node("a", prints("a", "one"))
        joined = ["sh", "-c", 'cat "$@" > out.txt', "sh", "\0inputs\0all\0"]
        inputs = {"all": later({"list": [of("a"), of("a")]}, True)}
        self.node("b", dag_task("b", joined, inputs, outputs=[output("out", "out.txt")]))
        self.succeed("run", "a")
        self.succeed("run", "b")
        self.assertEqual(self.record("b@1")["outputs"]["out"]["size"], 6)

    def test_parameters_are_filled_in_as_javascript_would_print_them(self):
        value = {"small": 1e-7, "whole": 3.0, "list": [1, "x"], "deep": {"b": 1, "a": None}, "yes": True}
        command = ["sh", "-c", "printf %s '{}' > out.json".format(json.dumps(value))]
        self.node("a", dag_task("a", command, outputs=[output("out", "out.json", "json")]))
        fields = {name: {"op": "field", "of": of("a"), "name": name} for name in list(value) + ["none"]}
        argv = ["sh", "-c", 'printf "%s|" "$@" > out.txt', "sh", "--x=\0params\0small\0", "\0params\0whole\0"]
        argv += ["\0params\0list\0", "l=\0params\0list\0", "\0params\0deep\0", "\0params\0yes\0", "\0params\0none\0"]
        self.node("b", dag_task("b", argv, params=fields, outputs=[output("out", "out.txt")]))
        self.succeed("run", "a")
        self.succeed("run", "b")
        hash_ = self.record("b@1")["outputs"]["out"]["hash"]
        text = self.read("objects/{}/{}".format(hash_[:2], hash_))
        self.assertEqual(text, '--x=1e-7|3|1|x|l=1,x|{"a":null,"b":1}|true||')

    def test_a_task_that_has_ended_well_does_not_run_again(self):
        self.node("n", prints("a", "one"), dag_task("b", ["sh", "-c", "test -e {}/go".format(self.storage)]))
        self.assertEqual(self.dag("run", "n")[0], 1)
        open(self.storage + "/go", "w").close()
        self.succeed("run", "n")
        self.succeed("run", "n")
        self.assertEqual(self.attempts(), ["a@1", "b@1", "b@2"])

    def test_a_result_is_known_from_the_record_where_the_node_died_before_it_said_so(self):
        self.node("a", prints("a", "one"))
        self.succeed("run", "a")
        os.unlink(self.storage + "/runs/r/results/a.json")
        self.succeed("run", "a")
        self.assertEqual(self.attempts(), ["a@1"])

    def test_what_cannot_be_mended_by_another_try_ends_for_good(self):
        self.node("a", dag_task("a", ["no-such-program"]))
        code, says = self.dag("run", "a")
        self.assertEqual(code, FOR_GOOD)
        self.assertIn("command not found or not executable: no-such-program", says)
        self.assertEqual(self.dag("run", "no-such-node")[0], FOR_GOOD)

    def test_what_reads_a_result_that_is_not_there_says_so(self):
        self.node("b", dag_task("b", ["true"], {"text": later(of("a"))}))
        code, says = self.dag("run", "b")
        self.assertEqual((code, says), (FOR_GOOD, "a has no result\n"))

    def test_a_metric_that_was_never_reported_is_a_failure(self):
        self.node("a", dag_task("a", ["true"], metrics=["loss"]))
        code, says = self.dag("run", "a")
        self.assertEqual(code, 1)
        self.assertIn("a@1: it never reported its metric loss", says)

    def test_an_absent_input_is_no_argument(self):
        wanted = [output("out", "out.txt", optional=True)]
        self.node("a", dag_task("a", ["true"], outputs=wanted))
        argv = ["sh", "-c", 'echo $# > out.txt; test ! -e in/text', "sh", "\0inputs\0text\0"]
        self.node("b", dag_task("b", argv, {"text": later(of("a"))}, outputs=[output("out", "out.txt")]))
        self.succeed("run", "a")
        self.succeed("run", "b")
        self.assertEqual(self.record("b@1")["outputs"]["out"]["size"], 2)

    def test_a_task_goes_on_from_its_checkpoint_until_it_is_done(self):
        script = 'n=$(cat n.txt 2>/dev/null || echo 0); echo $((n + 1)) > n.txt; test "$n" -ge 2 || sleep 30'
        spec = dag_task(
            "a",
            ["sh", "-c", script],
            outputs=[output("n", "n.txt")],
            checkpoint={"output": "n"},
            timeLimitSeconds=3,
            graceSeconds=0.1,
        )
        self.node("a", spec)
        self.succeed("run", "a")
        self.assertEqual(self.attempts(), ["a@1", "a@2", "a@3"])

    def test_the_place_of_the_sandbox_is_told(self):
        argv = ["sh", "-c", 'test "$WHERE" = "$PWD/code"']
        self.node("a", dag_task("a", argv, env={"WHERE": "\0sandbox\0/code"}))
        self.succeed("run", "a")


class SecretTest(DagCase):
    def setUp(self):
        super().setUp()
        argv = ["sh", "-c", 'test "$TOKEN" = "hush $WORD"']
        self.node("a", dict(dag_task("a", argv, env={"WORD": "hush"}), secrets=["TOKEN"], secretNames={"TOKEN": "HUB"}))

    def give(self, mode):
        os.makedirs(self.storage + "/secrets", exist_ok=True)
        path = self.storage + "/secrets/HUB"
        with open(path, "w") as file:
            file.write("hush hush")
        os.chmod(path, mode)

    def test_a_secret_comes_from_a_file_of_its_own_and_reaches_no_other(self):
        self.give(0o600)
        self.succeed("run", "a")
        found = subprocess.run(["grep", "-rl", "hush hush", self.storage], stdout=subprocess.PIPE).stdout.decode()
        self.assertEqual(found.split(), [self.storage + "/secrets/HUB"])

    def test_one_that_is_not_given_or_that_others_can_read_is_refused(self):
        code, says = self.dag("run", "a")
        self.assertEqual(code, FOR_GOOD)
        self.assertIn("the secret HUB is wanted: put it into {}/secrets/HUB, mode 600".format(self.storage), says)
        self.give(0o644)
        code, says = self.dag("run", "a")
        self.assertEqual(code, FOR_GOOD)
        self.assertIn("can be read by others: chmod 600", says)


class GatherTest(DagCase):
    def gather(self, outputs, metrics=None, tasks=("a",)):
        document = {"version": 1, "run": "r", "tasks": tasks, "outputs": outputs, "metrics": metrics or {}}
        self.write("gather.json", document)
        return self.dag("gather")

    def test_results_become_files_that_a_person_may_change(self):
        reported = dag_task(
            "a",
            ["sh", "-c", "echo one > out.txt; echo 'wf-metrics {\"loss\": 2.0}'"],
            outputs=[output("out", "out.txt")],
            metrics=["loss"],
        )
        self.node("a", reported)
        self.succeed("run", "a")
        outputs = {"text": of("a"), "tasks/a/all": {"list": [of("a"), {"op": "metric", "task": "a", "name": "loss"}]}}
        for _ in range(2):
            code, says = self.gather(outputs, {"loss": {"op": "metric", "task": "a", "name": "loss"}})
            self.assertEqual((code, says), (0, "1 of 1 tasks have ended well\n"))
            self.assertEqual(self.read("outputs/text.txt"), "one\n")
            self.assertEqual(self.read("outputs/tasks/a/all/000000/out.txt"), "one\n")
            self.assertEqual(self.read("outputs/tasks/a/all/000001.json"), "2")
            self.assertEqual(self.read("outputs/metrics.json"), '{"loss":2}\n')
            with open(self.storage + "/outputs/text.txt", "a") as file:
                file.write("changed")

    def test_it_fails_with_the_tasks_that_failed_and_puts_there_what_can_be_made(self):
        self.node("a", prints("a", "one"))
        self.node("b", dag_task("b", ["sh", "-c", "exit 3"], outputs=[output("out", "out.txt")]))
        self.succeed("run", "a")
        self.dag("run", "b")
        code, says = self.gather({"a": of("a"), "b": of("b")}, tasks=("a", "b", "c"))
        self.assertEqual(code, 1)
        self.assertEqual(self.read("outputs/a.txt"), "one")
        self.assertEqual(self.read("report.txt"), says)
        self.assertIn("1 of 3 tasks have ended well\nb failed: the command ended with exit status 3; see ", says)
        self.assertIn("\n1 did not come to their end\noutputs/b is not there: b has no result\n", says)


class DatasetTest(DagCase):
    """That the bits are those of the project's data package is seen where a real DAG is compared with a run."""

    def setUp(self):
        super().setUp()
        script = (
            "mkdir -p rows/text; printf %s {0} > rows/text/x.txt; "
            "echo '{{\"text\": \"text/x.txt\", \"n\": {0}}}' > rows/rows.jsonl"
        )
        wanted = [output("out", "rows", "dataset", columns={"text": "file", "n": "value"})]
        for name, number in (("a", 1), ("b", 2)):
            self.node(name, dag_task(name, ["sh", "-c", script.format(number)], outputs=wanted))
            self.succeed("run", name)

    def gathered(self, formula):
        document = {"version": 1, "run": "r", "tasks": [], "outputs": {"it": formula}, "metrics": {}}
        self.write("gather.json", document)
        self.succeed("gather")

    def test_merged(self):
        columns = {"text": "file", "n": "value"}
        self.gathered({"op": "merge", "of": {"list": [of("a"), of("b")]}, "columns": columns})
        rows = [json.loads(line) for line in self.read("outputs/it/rows.jsonl").splitlines()]
        self.assertEqual([row["n"] for row in rows], [1, 2])
        self.assertEqual([row["text"] for row in rows], ["text/000000-x.txt", "text/000001-x.txt"])

    def test_a_column_and_a_table_of_columns(self):
        numbers = {"op": "column", "of": of("b"), "column": "n"}
        self.gathered(numbers)
        self.assertEqual(self.read("outputs/it/000000.json"), "2")
        texts = {"op": "column", "of": of("a"), "column": "text"}
        self.gathered({"op": "table", "of": {"t": texts, "m": numbers}, "columns": {"t": "file", "m": "value"}})
        self.assertEqual(json.loads(self.read("outputs/it/rows.jsonl")), {"t": "t/x.txt", "m": 2})

    def test_picked_columns(self):
        self.gathered({"op": "pick", "of": of("a"), "columns": ["n"]})
        self.assertEqual(json.loads(self.read("outputs/it/rows.jsonl")), {"n": 1})

    def test_one_thing_in_place_of_what_is_absent(self):
        absent = {"value": {"kind": "absent"}}
        self.gathered({"op": "else", "of": absent, "otherwise": {"op": "pick", "of": of("b"), "columns": ["n"]}})
        self.assertEqual(json.loads(self.read("outputs/it/rows.jsonl")), {"n": 2})


if __name__ == "__main__":
    unittest.main()
