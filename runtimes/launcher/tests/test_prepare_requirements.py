"""What requirements mean: versions, specifiers, markers. The oracle is the library that pip itself uses."""

import itertools
import unittest

from wf_launcher.prepare.markers import holds
from wf_launcher.prepare.requirements import Requirement, names_a_place_nearby, parse
from wf_launcher.prepare.specifiers import Specifiers
from wf_launcher.prepare.versions import Version

try:
    from pip._vendor.packaging import markers as oracle_markers
    from pip._vendor.packaging import specifiers as oracle_specifiers
    from pip._vendor.packaging import version as oracle_version

    # Older ones counted a local part as later.
    has_oracle = oracle_specifiers.SpecifierSet("<=1.0").contains("1.0+local")
except ImportError:
    has_oracle = False

VERSIONS = """0.9 1 1.0 1.0.0 1.0.1 1.0a1 1.0a1.dev3 1.0b2 1.0rc1 1.0.dev2 1.0.post1 1.0-1 1.0.post1.dev4 1.0+local.3
    1.0+local.10 1.0+abc 1.1 1.10 1.2 1.13.0a0 1.13.1+dfsg 2.0 2!0.1 v1.0 1.0-ALPHA.1 1.0.preview3""".split()
SPECIFIERS = """>=1.0 <=1.0 >1.0 <1.0 ==1.0 !=1.0 ==1.* !=1.0.* ~=1.0 ~=1.0.1 >=1.0,<1.2 ==1.0+abc >=1.0a1 <1.13
    >=2!0 ===1.0 >1.0.post1 <1.0.post1""".split()


@unittest.skipUnless(has_oracle, "SKIPPED: this Python has no pip, or an old one, whose library is the oracle")
class AsPipDoes(unittest.TestCase):
    def test_the_order_of_versions(self):
        for one, two in itertools.product(VERSIONS, repeat=2):
            expected = oracle_version.Version(one) < oracle_version.Version(two)
            self.assertEqual(Version(one).order < Version(two).order, expected, (one, two))

    def test_what_specifiers_admit(self):
        for specifier, version in itertools.product(SPECIFIERS, VERSIONS):
            if Version(version).is_source_build:
                continue
            expected = oracle_specifiers.SpecifierSet(specifier).contains(version, prereleases=True)
            self.assertEqual(Specifiers(specifier).admit(version), expected, (specifier, version))

    def test_markers(self):
        environment = {
            "python_version": "3.9",
            "python_full_version": "3.9.18",
            "os_name": "posix",
            "sys_platform": "linux",
            "platform_machine": "x86_64",
            "platform_system": "Linux",
            "extra": "",
        }
        for marker in [
            'python_version < "3.11"',
            'python_version>="3.10"',
            "python_full_version ~= '3.9.1'",
            'sys_platform == "linux" and platform_machine != "aarch64"',
            'sys_platform == "win32" or (os_name == "posix" and python_version in "3.8 3.9")',
            '"linux" in sys_platform and platform_machine not in "arm64 aarch64"',
            'extra == "test" or python_version == "3.9"',
            '(python_version < "3") or sys_platform == "darwin" and os_name == "posix"',
        ]:
            self.assertEqual(holds(marker, environment), oracle_markers.Marker(marker).evaluate(environment), marker)


class Requirements(unittest.TestCase):
    def test_a_build_from_sources_counts_as_the_release_that_it_is_of(self):
        self.assertTrue(Specifiers(">=1.13").admit("1.13.0a0+gitunknown"))
        self.assertFalse(Specifiers(">=1.13.1").admit("1.13.0a0+gitunknown"))
        self.assertFalse(Specifiers(">=1.13").admit("1.13.0a0"))

    def test_their_parts(self):
        requirement = Requirement('Scikit_Learn >=1.2, <2 ; python_version < "4"')
        self.assertEqual((requirement.name, requirement.specifiers.text), ("scikit-learn", ">=1.2, <2"))
        self.assertTrue(requirement.is_plain)
        self.assertEqual(Requirement("uvicorn[standard]>=0.2").extras, ["standard"])
        self.assertFalse(Requirement("uvicorn[standard]>=0.2").is_plain)
        self.assertEqual(Requirement("torch (>=1.13)").specifiers.text, ">=1.13")
        self.assertEqual(Requirement("six==1.16.0 --hash=sha256:abc").specifiers.text, "==1.16.0")

    def test_files_and_addresses_have_no_plain_name(self):
        for text in ["./wheels/a-1.0-py3-none-any.whl", "/opt/a.whl", "https://example.org/a.whl", "file:///opt/a.whl"]:
            self.assertIsNone(Requirement(text).name, text)
        named = Requirement("a @ file:///opt/a-1.0-py3-none-any.whl")
        self.assertEqual((named.name, named.is_plain), ("a", False))
        self.assertTrue(names_a_place_nearby(["--find-links ./wheels", "six"]))
        self.assertFalse(names_a_place_nearby(["https://example.org/../a.whl", "six>=1.0"]))

    def test_options_are_for_the_installer(self):
        self.assertEqual([found.name for found in parse(["--no-index", "-f /opt/wheels", "six"])], ["six"])

    def test_what_makes_no_sense_is_refused(self):
        for text in ["numpy>>1", "numpy=1", ">=1", "numpy>=one", "numpy ~=1", "numpy >=1.*"]:
            with self.assertRaises(ValueError, msg=text):
                Requirement(text)
        for marker in ['python_version << "3"', 'nobody == "3"', 'python_version < "3" and', '("a" == "a"']:
            with self.assertRaises(ValueError, msg=marker):
                holds(marker, {"python_version": "3.9"})


if __name__ == "__main__":
    unittest.main()
