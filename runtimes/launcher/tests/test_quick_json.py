"""JSON without Python's json: the same values and the same text."""

import json
import math
import unittest

from wf_launcher import quick_json

VALUES = [
    None,
    True,
    0,
    -1.5e300,
    2**70,
    "",
    'a "b" \\ \n \u2028 肺 \ud800',
    [],
    {},
    [1, [2.5, {"x": [None, False]}], "y"],
    {"a": {"b": [1]}, "é": ""},
]


class QuickJson(unittest.TestCase):
    def test_text_is_that_of_json(self):
        for value in VALUES:
            self.assertEqual(quick_json.encode(value), json.dumps(value, separators=(",", ":")))

    def test_values_are_those_of_json(self):
        for value in VALUES:
            for text in (json.dumps(value), json.dumps(value, indent=1), " \t\r\n" + json.dumps(value) + "\n"):
                self.assertEqual(quick_json.loads(text), value)

    def test_constants(self):
        self.assertTrue(math.isnan(quick_json.loads("[NaN]")[0]))
        self.assertEqual(quick_json.loads("[Infinity, -Infinity]"), [math.inf, -math.inf])
        self.assertEqual(quick_json.parser(str.lower)("[NaN]"), ["nan"])

    def test_what_is_no_json(self):
        for text in ("", " ", "{", "[1,]", "{'a': 1}", "1 2", '"\n"', "tru", '{"a":}'):
            with self.assertRaises(ValueError, msg=text):
                quick_json.loads(text)

    def test_what_json_cannot_hold(self):
        for value in (math.nan, math.inf):
            with self.assertRaises(ValueError):
                quick_json.encode([value])
        with self.assertRaises(TypeError):
            quick_json.encode([object()])


if __name__ == "__main__":
    unittest.main()
