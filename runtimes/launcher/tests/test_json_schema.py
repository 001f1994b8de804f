"""The checker of schemas finds what it is there for."""

import unittest

from .json_schema import Misfit, Schema


class Keywords(unittest.TestCase):
    def assert_checked(self, schema, fitting, others):
        for value in fitting:
            Schema(schema).check(value)
        for value in others:
            with self.subTest(value=value), self.assertRaises(Misfit):
                Schema(schema).check(value)

    def test_types(self):
        self.assert_checked({"type": "null"}, [None], [0, False, "", [], {}])
        self.assert_checked({"type": "boolean"}, [True, False], [0, 1, None, "true"])
        self.assert_checked({"type": "string"}, ["", "a"], [None, 1, ["a"]])
        self.assert_checked({"type": "number"}, [0, 1.5, -3], [True, "1", None])
        self.assert_checked({"type": "integer"}, [0, 7, 2.0], [1.5, False, "1"])
        self.assert_checked({"type": "array"}, [[], [1]], [{}, "a", None])
        self.assert_checked({"type": "object"}, [{}, {"a": 1}], [[], "a", None])
        self.assert_checked({"type": ["string", "null"]}, ["a", None], [1, False, []])

    def test_single_values(self):
        self.assert_checked({"const": 1}, [1], [2, True, "1", None])
        self.assert_checked({"enum": ["a", "b"]}, ["a", "b"], ["c", "", None])

    def test_amounts(self):
        self.assert_checked({"minimum": 0}, [0, 1], [-1, -0.5])
        self.assert_checked({"maximum": 3}, [3, -9], [4, 3.5])
        self.assert_checked({"exclusiveMinimum": 0}, [0.1, 1], [0, -1])

    def test_text(self):
        self.assert_checked({"pattern": "^[0-9a-f]{2}$"}, ["0f"], ["0F", "0f0", "0f\n", "../0f"])
        self.assert_checked({"format": "plain-name"}, ["a", "it's \n"], ["", ".", "..", "a/b", "a\0", "a" * 256])
        self.assert_checked({"format": "plain-path"}, ["a", "a/b"], ["", "/a", "a/../b", "a//b"])

    def test_lists(self):
        self.assert_checked({"items": {"type": "string"}, "minItems": 1}, [["a"], ["a", "b"]], [[], [1], ["a", 1]])

    def test_members(self):
        closed = {"properties": {"a": {"type": "null"}}, "required": ["a"], "additionalProperties": False}
        self.assert_checked(closed, [{"a": None}], [{}, {"a": 1}, {"a": None, "b": 1}])
        self.assert_checked({"properties": {"a": {}}, "additionalProperties": {"type": "null"}}, [{"a": 1, "b": None}], [{"b": 1}])
        self.assert_checked({"propertyNames": {"enum": ["a"]}}, [{}, {"a": 1}], [{"b": 1}])

    def test_choices(self):
        either = [{"minimum": 3}, {"maximum": 5}]
        self.assert_checked({"anyOf": either}, [0, 4, 9], [])
        self.assert_checked({"oneOf": either}, [0, 9], [4])
        self.assert_checked({"anyOf": [{"type": "null"}, {"type": "string"}]}, [None, "a"], [1])

    def test_references(self):
        tree = {"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}
        self.assert_checked(tree, [[], [[], [[]]]], [1, [[], [1]]])
        self.assert_checked({"items": {"$ref": "#"}, "type": "array"}, [[[]]], [[[1]]])

    def test_a_misfit_says_where(self):
        schema = {"properties": {"a": {"items": {"type": "string"}}}}
        with self.assertRaisesRegex(Misfit, r"^\.a\[1\]: 7: not of type string$"):
            Schema(schema).check({"a": ["x", 7]})

    def test_what_it_does_not_know_is_an_error_and_not_passed_over(self):
        with self.assertRaisesRegex(ValueError, "uniqueItems"):
            Schema({"uniqueItems": True}).check([])


if __name__ == "__main__":
    unittest.main()
