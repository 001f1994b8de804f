"""What a task says of itself: numbers, pictures, a summary. What makes no sense is told of, and harms nothing."""

import io
import json
import os
import unittest

from wf_launcher import report_lines, reports
from wf_launcher.report_steps import Steps

from .harness import LauncherCase, link, output, python_task


class ReportsCase(LauncherCase):
    def report(self, script, **more):
        record = self.launcher.run_task(python_task(self.new(), HELPER + script, **more))
        self.assert_succeeded(record)
        return record

    def warnings(self, record, *fragments):
        said = record.get("warnings", [])
        self.assertEqual(len(said), len(fragments), said)
        for warning, fragment in zip(said, fragments):
            self.assertIn(fragment, warning)


HELPER = """
import json, os
def log(line):
    with open(os.environ["WF_METRICS"], "a") as file:
        file.write((line if isinstance(line, str) else json.dumps(line)) + "\\n")
"""


class Numbers(ReportsCase):
    def test_a_file(self):
        record = self.report("log({'step': 1, 'loss': 0.5, 'name': 'x', 'ok': True}); log({'none': None})")
        self.assertEqual(record["metrics"], [{"step": 1, "loss": 0.5, "name": "x", "ok": True}, {"none": None}])
        self.assertTrue({"warnings", "pictures", "summary"}.isdisjoint(record))

    def test_stdout_of_a_task_too_short_to_sample(self):
        record = self.run_shell("echo hello; echo 'wf-metrics {\"loss\": 1}'; echo ' wf-metrics {'; printf 'wf-metrics {}'")
        self.assert_succeeded(record)
        self.assertEqual((record["series"], record["metrics"]), ([], [{"loss": 1}]))
        self.assertNotIn("warnings", record)
        self.assertIn(b'\nwf-metrics {"loss": 1}\n', self.launcher.read(record["attempt"], "stdout"))

    def test_the_file_has_the_last_word(self):
        record = self.report("log({'loss': 2})\nprint('wf-metrics {\"loss\": 1}')")
        self.assertEqual(record["metrics"], [{"loss": 1}, {"loss": 2}])

    def test_those_of_a_failed_task_count_too(self):
        record = self.run_shell("echo 'wf-metrics {\"loss\": 1}'; exit 3")
        self.assert_failed(record, "exit")
        self.assertEqual(record["metrics"], [{"loss": 1}])

    def test_what_json_does_not_know(self):
        lines = ["{'loss': float('nan')}", "{'loss': float('nan'), 'a': float('inf')}", "{'a': -float('inf')}"]
        record = self.report("\n".join("log({})".format(line) for line in lines) + "\nlog({'big': 10 ** 400})")
        self.assertEqual(
            record["metrics"],
            [{"loss": "NaN"}, {"loss": "NaN", "a": "Infinity"}, {"a": "-Infinity"}, {"big": "Infinity"}],
        )
        self.warnings(
            record, "metrics line 1: loss is NaN", "line 2: a is Infinity", "line 3: a is -Infinity", "big is Infinity"
        )

    def test_bad_lines(self):
        script = "for line in ('not json', '[1]', '{\"a\": [1], \"b\": 1}', '', '{\"a\": [2]}'): log(line)"
        record = self.report(script + "\nprint('wf-metrics nothing')")
        self.assertEqual(record["metrics"], [{"b": 1}])
        self.warnings(
            record,
            "stdout line 1: no JSON: nothing",
            "metrics line 1: no JSON: not json",
            "metrics line 2: no JSON object: [1]",
            "metrics line 3: a is no number",
        )

    def test_many_bad_lines_are_counted(self):
        record = self.report("for i in range(100): log('bad')")
        self.assertEqual(len(record["warnings"]), 21)
        self.assertEqual(record["warnings"][-1], "80 more of the kind")

    def test_a_line_that_is_nested_too_deeply_or_too_long(self):
        script = "log('[' * 100000 + ']' * 100000); log('{\"a\": \"' + 'x' * 3000000 + '\"}'); log({'b': 1})"
        record = self.report(script)
        self.assertEqual(record["metrics"], [{"b": 1}])
        self.warnings(record, "line 1: no JSON", "line 2: longer than")

    def test_a_summary_that_is_nested_too_deeply(self):
        for depth in (300, 450, 600, 900, 5000):
            deep = "log('{\"summary\": {\"a\": ' + '[' * DEEP + ']' * DEEP + '}}'); log({'b': 1})"
            record = self.report(deep.replace("DEEP", str(depth)))
            self.assertEqual(record["metrics"], [{"b": 1}], depth)
            self.warnings(record, "line 1")
        record = self.report("log({'summary': {'a': [[[1]]]}})")
        self.assertEqual(record["summary"], {"a": [[[1]]]})

    def test_something_else_in_the_place_of_the_file(self):
        record = self.run_shell("mkdir $WF_METRICS")
        self.assert_succeeded(record)
        self.warnings(record, "metrics cannot be read")
        self.assert_succeeded(self.run_shell("mkfifo $WF_METRICS"))
        record = self.run_shell("ln -s /dev/zero $WF_METRICS")
        self.assert_succeeded(record)
        self.warnings(record, "metrics cannot be read")

    def test_a_summary(self):
        script = "log({'summary': {'a': [1, {'b': float('nan')}], 'c': 1}, 'loss': 2}); log({'summary': {'c': 2}})"
        record = self.report(script)
        self.assertEqual(record["summary"], {"a": [1, {"b": "NaN"}], "c": 2})
        self.assertEqual(record["metrics"], [{"loss": 2}])
        self.warnings(record, "summary.a.b is NaN")


class Pictures(ReportsCase):
    def test_it_is_kept_and_no_undeclared_file(self):
        script = "os.mkdir('p'); open('p/a.PNG', 'w').write('picture'); open('extra', 'w')"
        record = self.report(script + "\nlog({'image': 'pre diction', 'path': 'p/a.PNG', 'step': 3})")
        (picture,) = record["pictures"]
        self.assertEqual((picture["name"], picture["step"], picture["path"]), ("pre diction", 3, "p/a.PNG"))
        self.assertEqual((picture["file"]["name"], picture["file"]["size"]), ("pre_diction-3.PNG", 7))
        self.assertEqual(self.launcher.object(picture["file"]["hash"]), b"picture")
        self.assertEqual(self.launcher.read(record["attempt"], "pictures", "pre_diction-3.PNG"), b"picture")
        self.assertEqual([found["path"] for found in record["undeclared"]], ["extra"])
        self.assertEqual(record["metrics"], [])

    def test_through_stdout_and_by_an_absolute_path(self):
        record = self.report(
            "open('a.png', 'w').write('1')\n"
            "print('wf-metrics ' + json.dumps({'image': 'x', 'path': os.path.abspath('a.png')}))"
        )
        self.assertEqual(record["pictures"][0]["file"]["name"], "x.png")

    def test_one_that_is_an_output_too(self):
        script = "open('out/d/a.png', 'w').write('both'); log({'image': 'x', 'path': 'out/d/a.png'})"
        record = self.report(script, outputs=[output("d", "out/d", "directory")])
        entry = self.launcher.manifest(record["outputs"]["d"])["entries"][0]
        self.assertEqual(entry["hash"], record["pictures"][0]["file"]["hash"])
        self.assertEqual(self.launcher.object(entry["hash"]), b"both")

    def test_an_input(self):
        value = self.launcher.file_value(b"scan", "scan.png")
        record = self.report("log({'image': 'x', 'path': 'in/scan.png'})", inputs=[link("scan", "in/scan.png", value)])
        self.assertEqual(record["pictures"][0]["file"]["hash"], value["hash"])

    def test_those_of_a_failed_task_stay_in_its_sandbox_too(self):
        script = "echo 1 > a.png; echo 'wf-metrics {\"image\":\"x\",\"path\":\"a.png\"}'; exit 1"
        record = self.run_shell(script)
        self.assert_failed(record, "exit")
        self.assertEqual(self.launcher.object(record["pictures"][0]["file"]["hash"]), b"1\n")
        self.assertEqual(self.launcher.read(record["attempt"], "sandbox", "a.png"), b"1\n")

    def test_equal_names(self):
        script = "for n in 'ab': open(n + '.png', 'w').write(n); log({'image': 'x', 'path': n + '.png'})"
        record = self.report(script)
        self.assertEqual([picture["file"]["name"] for picture in record["pictures"]], ["x.png", "x.2.png"])

    def test_a_file_that_is_written_again_and_again(self):
        script = "for n in range(3): open('a.png', 'w').write(str(n)); log({'image': 'x', 'path': 'a.png', 'step': n})"
        record = self.report(script)
        self.assertEqual([picture["step"] for picture in record["pictures"]], [2])
        self.assertEqual(self.launcher.object(record["pictures"][0]["file"]["hash"]), b"2")
        self.warnings(record, "a.png is named again")

    def test_what_cannot_be_kept(self):
        outside = os.path.join(self.launcher.storage, "secret.png")
        with open(outside, "w") as file:
            file.write("secret")
        paths = ["no.png", "../../x.png", outside, "link.png", "/no/such/x.png", "folder", "big.png", "a\0b", "\ud800"]
        script = "os.symlink({!r}, 'link.png'); os.mkdir('folder'); open('big.png', 'w').truncate(60 * 10**6)\n"
        script += "for path in {!r}: log({{'image': 'x', 'path': path}})"
        record = self.report(script.format(outside, paths))
        self.assertNotIn("pictures", record)
        self.assertEqual(len(record["warnings"]), len(paths), record["warnings"])
        for warning, fragment in zip(
            record["warnings"],
            ["No such file"] + ["outside"] * 4 + ["not a regular file", "larger than", "not a path", "surrogates"],
        ):
            self.assertIn(fragment, warning)

    def test_a_neighbour_whose_name_begins_as_that_of_the_sandbox_does(self):
        script = "os.mkdir('../sandboxes'); open('../sandboxes/x.png', 'w').write('secret')\n"
        record = self.report(script + "log({'image': 'x', 'path': '../sandboxes/x.png'})")
        self.assertNotIn("pictures", record)
        self.warnings(record, "outside of the task's folder")

    def test_too_many(self):
        script = "for n in range(205): open(str(n), 'w').write('x'); log({'image': 'x', 'path': str(n)})"
        record = self.report(script)
        self.assertEqual(len(record["pictures"]), 200)
        self.warnings(record, "200 at most")

    def test_other_members(self):
        record = self.report("open('a', 'w'); log({'image': 'x', 'path': 'a', 'dice': 1, 'step': 'last'})")
        self.assertIsNone(record["pictures"][0]["step"])
        self.warnings(record, "a picture has no dice")

    def test_a_name_of_an_image_alone_is_text(self):
        record = self.report("log({'image': 'a.png', 'dice': 1})")
        self.assertEqual(record["metrics"], [{"image": "a.png", "dice": 1}])


class MarkedLines(unittest.TestCase):
    def marked(self, content, chunk):
        stream = io.BytesIO(content)
        return list(report_lines._marked(lambda: stream.read(chunk)))

    def test_whatever_the_size_of_what_is_read_at_once(self):
        content = b"wf-metrics 1\nx\n\nwf-metrics 2\r\n wf-metrics no\nwf-metrics\nwf-metricsx\nwf-metrics 3"
        for chunk in range(1, len(content) + 1):
            self.assertEqual(self.marked(content, chunk), [(1, b"1"), (4, b"2"), (8, b"3")], chunk)

    def test_a_log_without_an_end_of_line_does_not_fill_the_memory(self):
        many = iter([b"wf-metrics "] + [b"x" * 1000000] * 5 + [b"\nwf-metrics 2\n", b""])
        (first, long), (second, text) = report_lines._marked(lambda: next(many))
        self.assertEqual((first, second, text), (1, 2, b"2"))
        self.assertTrue(report_lines.LINE_LIMIT < len(long) < 3 * report_lines.LINE_LIMIT)


class ManySteps(unittest.TestCase):
    def test_first_and_last_of_each_kind_are_kept(self):
        steps = Steps()
        for number in range(100000):
            steps.add({"step": number, "loss": number})
            if number % 2:
                steps.add({"step": number, "dice": number})
        kept = steps.in_order()
        self.assertLess(len(kept), 25000)
        self.assertEqual([line["step"] for line in kept], sorted(line["step"] for line in kept))
        for name, first in ("loss", 0), ("dice", 1):
            values = [line[name] for line in kept if name in line]
            self.assertGreater(len(values), 5000)
            self.assertEqual((values[0], values[-1]), (first, 99999))

    def test_lines_of_ever_new_kinds_end_somewhere(self):
        steps = Steps()
        self.assertEqual([steps.add({str(number): 1}) for number in range(101)], [True] * 100 + [False])

    def test_it_is_told(self):
        reader = reports._Reader()
        for number in range(10002):
            reader.take(json.dumps({"a": number}).encode(), "line")
        self.assertIn("10002 lines", reader.finish().warnings[0])


if __name__ == "__main__":
    unittest.main()
