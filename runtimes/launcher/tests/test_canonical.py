"""One text per value, the same as in TypeScript."""

import json
import shutil
import subprocess
import unittest

from wf_launcher.canonical import NotJsonError, canonical, number, parse

IN_JAVASCRIPT = """
const canonical = (v) => Array.isArray(v) ? `[${v.map(canonical).join(",")}]`
  : v !== null && typeof v === "object"
    ? `{${Object.keys(v).sort().map((k) => `${JSON.stringify(k)}:${canonical(v[k])}`).join(",")}}`
    : JSON.stringify(v);
const lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean);
process.stdout.write(lines.map((line) => canonical(JSON.parse(line))).join("\\n"));
"""
TEXTS = [
    "1.0",
    "-0.0",
    "0",
    "1e21",
    "1e20",
    "123456789012345678901234567890",
    "9007199254740993",
    "0.1",
    "1e-6",
    "1.5e-7",
    "123456789012345680000",
    "5e-324",
    "1.7976931348623157e308",
    "100",
    "-12.5e3",
    '"\\u0000\\u001f\\u007f\\u2028 é 肺 \\ud83d\\ude00 \\ud800 \\" \\\\ / \\b\\f\\n\\r\\t"',
    '{"b":1,"a":[true,false,null,{}],"":"x","10":1,"9":2}',
    '{"\\uffff":1,"\\ud83d\\ude00":2,"a":3}',
    "[]",
]


class Canonical(unittest.TestCase):
    def test_text(self):
        self.assertEqual(canonical({"b": [1.0, 2.5], "a": "ä\n"}), '{"a":"ä\\n","b":[1,2.5]}'.encode())
        self.assertEqual(canonical("\ud800"), b'"\\ud800"')

    def test_numbers(self):
        self.assertEqual(number(1e21), "1e+21")
        self.assertEqual(number(1e-7), "1e-7")
        self.assertEqual(number(0.000001), "0.000001")
        self.assertEqual(number(-0.0), "0")
        self.assertEqual(number(2**53 + 1), "9007199254740992")

    def test_what_is_not_json(self):
        for text in (b"NaN", b"[Infinity]", b"-Infinity", b"{'a':1}", b"\xef\xbb\xbf1", b"\xff", b"", b"1 2"):
            with self.assertRaises(ValueError, msg=text):
                parse(text)
        with self.assertRaises(NotJsonError):
            canonical(parse(b"1e999"))

    @unittest.skipUnless(shutil.which("node"), "SKIPPED: node is not installed, so nothing can be compared with it")
    def test_javascript_says_the_same(self):
        said = subprocess.run(
            ["node", "-e", IN_JAVASCRIPT], input="\n".join(TEXTS).encode(), stdout=subprocess.PIPE, check=True
        ).stdout.decode()
        ours = [canonical(parse(text.encode())).decode() for text in TEXTS]
        self.assertEqual(ours, said.split("\n"))
        for text, canonical_text in zip(TEXTS, ours):
            self.assertEqual(canonical(json.loads(canonical_text)).decode(), canonical_text, text)
