"""Debian's packages, with what apt really printed."""

import unittest

from wf_launcher.prepare import debian
from wf_launcher.prepare.wish import Wish

POLICY = """python3-torch:
  Installed: (none)
  Candidate: 1.13.1+dfsg-4
  Version table:
     1.13.1+dfsg-4 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
python3-numpy:
  Installed: 1:1.24.2-1+deb12u1
  Candidate: 1:1.24.2-1+deb12u1
  Version table:
 *** 1:1.24.2-1+deb12u1 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
        100 /var/lib/dpkg/status
python3-gone:
  Installed: (none)
  Candidate: (none)
  Version table:
"""
INSTALL = """Need to get 98.3 MB of archives.
dlstatus:1:12.5:Retrieving file 1 of 45 (8s remaining)
dlstatus:45:99.9:Retrieving file 45 of 45
pmstatus:libtorch1.13:55.5:Unpacking libtorch1.13 (amd64)
Setting up python3-torch (1.13.1+dfsg-4) ...
"""


def wish_of(*requirements):
    return Wish(
        {"requirements": list(requirements), "requiresPython": None, "python": None, "project": None, "runtimes": "/r"}
    )


class Told:
    def __init__(self):
        self.lines = []

    def tell(self, says, percent=None):
        self.lines.append((says, percent))


class DebianPackages(unittest.TestCase):
    def test_versions_are_those_of_the_authors(self):
        self.assertEqual(
            debian.candidate_versions(POLICY), {"python3-torch": "1.13.1", "python3-numpy": "1.24.2"}
        )

    def test_names_by_rule_and_by_table(self):
        self.assertEqual(
            debian.packages_for(wish_of("torch>=1.13", "numpy", "pillow", "pandas")),
            [
                "python3-numpy",
                "libopenblas0-pthread",
                "python3-pandas",
                "python3-pil",
                "python3-torch",
            ],
        )
        self.assertIsNone(debian.packages_for(wish_of("torch @ https://example.org/torch.whl")))

    def test_it_says_how_far_apt_is(self):
        told = Told()
        listen = debian.AptListener(told)
        for line in INSTALL.splitlines():
            listen(line)
        self.assertEqual(
            told.lines,
            [
                ("downloads Debian's packages (98.3 MB)", 12.5),
                ("downloads Debian's packages (98.3 MB)", 99.9),
                ("installs Debian's packages (98.3 MB)", 55.5),
            ],
        )


if __name__ == "__main__":
    unittest.main()
