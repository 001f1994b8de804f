"""The short way to a record leads to the same record."""

import json
import resource
import unittest

from wf_launcher import plain_record, record
from wf_launcher.attempt import Attempt
from wf_launcher.conclude import describe

from .harness import task


class PlainRecord(unittest.TestCase):
    def attempt(self):
        job = {"run": 'r"ü\n', "job": "j😀"}
        attempt = Attempt(job, dict(task("a'\t", ["true"]), task="tä sk"), [])
        attempt.pid = 4711
        attempt.status = 0
        attempt.started_at, attempt.ended_at = 1700000000.1234567, 1700000001.7654321
        attempt.started, attempt.ended = 100.5, 101.98765432
        attempt.totals.add(resource.getrusage(resource.RUSAGE_SELF), (1, 2, 3, 4))
        return attempt

    def test_it_is_what_an_encoder_would_write(self):
        attempt = self.attempt()
        self.assertTrue(plain_record.is_plain(attempt))
        text = plain_record.encode(attempt)
        self.assertEqual(json.loads(text.decode()), json.loads(record.encode(describe(attempt, None)).decode()))

    def test_every_field_is_in_its_place(self):
        pairs = json.loads(plain_record.encode(self.attempt()).decode(), object_pairs_hook=lambda pairs: pairs)
        described = describe(self.attempt(), None)
        self.assertEqual([name for name, _ in pairs], list(described))
        self.assertEqual([name for name, _ in dict(pairs)["usage"]], list(described["usage"]))
