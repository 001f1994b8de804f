"""The nginx that docs/placement.md describes, as it stands there: objects and nothing else, one token to read and
another to write."""

import getpass
import os
import re
import shutil
import socket
import ssl
import subprocess
import unittest
import urllib.error
import urllib.request

from wf_launcher import secrets

from .harness import ROOT, wait_until
from .test_away_copy import CopyCase

NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
PAGE = os.path.join(ROOT, "../../docs/placement.md")
READ, WRITE = "a1" * 32, "b2" * 32
MAIN = """
{user}
daemon off;
pid {folder}/pid;
error_log stderr;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  include {folder}/wf.conf;
}}
"""


def documented():
    with open(PAGE) as page:
        return re.search(r"```nginx\n(.*?)```", page.read(), re.DOTALL).group(1)


class Nginx:
    def __init__(self, folder, storage):
        os.makedirs(folder)
        self.certificate = folder + "/store.pem"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        key = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        key += ["-days", "2", "-subj", "/CN=wf", "-addext", "subjectAltName=IP:127.0.0.1"]
        key += ["-keyout", folder + "/store.key", "-out", self.certificate]
        subprocess.run(key, check=True, stderr=subprocess.DEVNULL)
        text = documented()
        for there, here in (
            ("READ-TOKEN", READ),
            ("WRITE-TOKEN", WRITE),
            ("listen 443", "listen 127.0.0.1:{}".format(port)),
            ("/etc/ssl", folder),
            ("/home/ada/wf", storage),
        ):
            assert there in text, there
            text = text.replace(there, here)
        with open(folder + "/wf.conf", "w") as file:
            file.write(text)
        user = "user {};".format(getpass.getuser()) if os.getuid() == 0 else ""
        with open(folder + "/nginx.conf", "w") as file:
            file.write(MAIN.format(folder=folder, user=user))
        self.url = "https://127.0.0.1:{}/wf".format(port)
        self._process = subprocess.Popen([NGINX, "-c", folder + "/nginx.conf"], stderr=subprocess.DEVNULL)
        self._port = port
        wait_until(self._answers, "nginx")

    def _answers(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self._port)) == 0

    def ask(self, method, path, token=None, body=None):
        """The status of its answer, and the body."""
        headers = {} if token is None else {"Authorization": "Bearer " + token}
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        context = ssl.create_default_context(cafile=self.certificate)
        try:
            with urllib.request.urlopen(request, context=context) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, b""

    def close(self):
        self._process.terminate()
        self._process.wait()


@unittest.skipUnless(NGINX and shutil.which("openssl"), "SKIPPED: there is no nginx, or no openssl")
class OverNginx(CopyCase):
    def setUp(self):
        super().setUp()
        self.hidden = self.root + "/hidden"
        self.server = Nginx(self.root + "/nginx", self.hidden)
        self.addCleanup(self.server.close)

    def go(self, **tokens):
        described = {"url": self.server.url, "readSecret": "store:read", "writeSecret": "store:write"}
        self.lay_out(self.job(self.task), store=described, secrets=tokens)
        pad = secrets.hide(tokens, self.submission.folder + "/secrets")
        self.travel(PATH=os.environ["PATH"], SSL_CERT_FILE=self.server.certificate, WF_SECRETS_PAD=pad)
        self.bring_back()
        self.collect()
        return self.record("a@1")

    def test_there_and_back(self):
        self.assert_all_is_there(self.go(**{"store:read": READ, "store:write": WRITE}))
        self.assertEqual(self.returned(), ["attempts", "records"])

    def test_one_who_may_only_read_writes_nothing(self):
        self.assert_all_is_there(self.go(**{"store:read": READ, "store:write": READ}))
        self.assertIn("objects", self.returned())

    def test_what_it_refuses(self):
        os.makedirs(self.storage + "/tools")
        with open(self.storage + "/tools/launcher", "w") as file:
            file.write("a program")
        os.rename(self.storage, self.hidden)
        there = "/objects/{}/{}".format(self.big["hash"][:2], self.big["hash"])
        new = "/objects/ab/" + "ab" * 32
        ask = self.server.ask
        for method, path, token, status in (
            ("GET", there, READ, 200),
            ("GET", there, None, 401),
            ("GET", there, WRITE, 401),
            ("GET", there, READ + "0", 401),
            ("GET", there, READ.upper(), 401),
            ("PUT", new, None, 401),
            ("PUT", new, READ, 401),
            ("PUT", there, WRITE, 409),
            ("DELETE", there, WRITE, 401),
            ("GET", "/tools/launcher", READ, 404),
            ("PUT", "/tools/launcher", WRITE, 404),
            ("PUT", "/objects/../tools/launcher", WRITE, 404),
            ("PUT", "/objects/ab/%2e%2e/%2e%2e/tools/launcher", WRITE, 404),
            ("GET", "/objects/", READ, 404),
            ("PUT", new, WRITE, 201),
        ):
            with self.subTest(method=method, path=path, token=token):
                self.assertEqual(ask(method, path, token, b"new" if method == "PUT" else None)[0], status)
        self.assertEqual(ask("GET", new, READ), (200, b"new"))
        self.assertEqual(ask("GET", there, READ)[1], b"x" * os.stat(self.hidden + there).st_size)
        with open(self.hidden + "/tools/launcher") as file:
            self.assertEqual(file.read(), "a program")

    def test_links_are_not_followed(self):
        os.makedirs(self.storage + "/objects/cd", exist_ok=True)
        with open(self.root + "/private", "w") as file:
            file.write("private")
        os.symlink(self.root + "/private", self.storage + "/objects/cd/" + "cd" * 32)
        os.rename(self.storage, self.hidden)
        self.assertEqual(self.server.ask("GET", "/objects/cd/" + "cd" * 32, READ)[0], 403)


if __name__ == "__main__":
    unittest.main()
