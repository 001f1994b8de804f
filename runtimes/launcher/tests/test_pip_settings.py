"""What pip was told reaches those who do not read its settings."""

import os
import shutil
import tempfile
import unittest

from wf_launcher.prepare.pip_settings import PipSettings


class Settings(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="wf pip ")
        self.addCleanup(shutil.rmtree, self.home)
        self.shared = os.path.join(self.home, "xdg")

    def settings(self, **environment):
        return PipSettings(dict({"HOME": self.home, "XDG_CONFIG_DIRS": self.shared}, **environment))

    def write(self, path, text):
        path = os.path.join(self.home, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_wherever_they_stand_the_nearest_wins(self):
        def proxy(**environment):
            return self.settings(**environment).proxy

        places = ["xdg/pip/pip.conf", ".pip/pip.conf", ".config/pip/pip.conf", "named.conf"]
        for place in places:
            path = self.write(place, "[global]\nproxy = http://{}\n".format(place))
            named = {"PIP_CONFIG_FILE": path} if place == "named.conf" else {}
            self.assertEqual(proxy(**named), "http://" + place)
        self.write(places[2], "[install]\nproxy = http://of-install\n[global]\nproxy = http://of-all\n")
        self.assertEqual(proxy(), "http://of-install")
        self.write("other/pip/pip.conf", "[global]\nproxy = http://other\n")
        self.assertEqual(proxy(XDG_CONFIG_HOME=os.path.join(self.home, "other")), "http://other")
        self.assertEqual(proxy(PIP_PROXY="http://variable"), "http://variable")
        self.assertIsNone(proxy(PIP_CONFIG_FILE=os.devnull))

    def test_uv_is_told_where_to_look(self):
        self.write(
            ".config/pip/pip.conf",
            "[global]\nindex-url = https://mirror.example/simple\nextra-index-url =\n  https://a.example\n"
            "  https://b.example\ncert = /our-ca.pem\nproxy = http://proxy.example:3128\n",
        )
        settings = self.settings(PIP_FIND_LINKS="/wheels", PIP_CONFIG_FILE="", https_proxy="http://mine.example")
        links = "--extra-index-url https://a.example --extra-index-url https://b.example --find-links /wheels"
        self.assertEqual(" ".join(settings.options_for_uv()), "--index-url https://mirror.example/simple " + links)
        self.assertEqual(
            settings.variables_for_uv(), {"HTTP_PROXY": "http://proxy.example:3128", "SSL_CERT_FILE": "/our-ca.pem"}
        )
        self.assertEqual(self.settings(PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull).options_for_uv(), ["--no-index"])

    def test_uv_that_was_told_itself_is_left_alone(self):
        told = {"PIP_INDEX_URL": "https://mirror.example/simple"}
        for more in ({"UV_INDEX_URL": "https://uv.example"}, {"UV_DEFAULT_INDEX": "https://uv.example"}):
            self.assertEqual(self.settings(**dict(told, **more)).options_for_uv(), [])
        self.assertNotEqual(self.settings(**dict(told, UV_CACHE_DIR="/cache")).options_for_uv(), [])
        self.write(".config/uv/uv.toml", "")
        self.assertEqual(self.settings(**told).options_for_uv(), [])

    def test_an_index_is_named_or_there_is_to_be_none(self):
        nothing = {"PIP_CONFIG_FILE": os.devnull}
        for more, is_named in [
            ({}, False),
            ({"PIP_EXTRA_INDEX_URL": "https://more.example"}, False),
            ({"PIP_INDEX_URL": "https://mirror.example"}, True),
            ({"PIP_NO_INDEX": "true"}, True),
            ({"PIP_NO_INDEX": "0"}, False),
        ]:
            self.assertEqual(self.settings(**dict(nothing, **more)).names_an_index, is_named, more)

    def test_a_file_that_makes_no_sense_is_for_pip_to_say(self):
        self.write(".config/pip/pip.conf", "index-url = https://mirror.example\n")
        self.assertFalse(self.settings().names_an_index)
