"""Stores that a job reaches over the network: a real sshd, and a small http server."""

import getpass
import os
import shutil
import socket
import socketserver
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from .harness import wait_until

SSHD = "/usr/sbin/sshd"
CONFIG = """
ListenAddress 127.0.0.1:{port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/key.pub
PidFile {folder}/sshd.pid
StrictModes no
UsePAM no
"""


class SshServer:
    """As this user, on a port that was free a moment ago."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder)
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        for name in ("key", "host"):
            subprocess.check_call(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/" + name])
        with open(folder + "/config", "w") as file:
            file.write(CONFIG.format(port=self.port, folder=folder))
        with open(folder + "/host.pub") as key, open(folder + "/known_hosts", "w") as file:
            file.write("[127.0.0.1]:{} {}".format(self.port, key.read()))
        self._process = subprocess.Popen([SSHD, "-D", "-e", "-f", folder + "/config"], stderr=subprocess.DEVNULL)
        wait_until(self._answers, "sshd")

    def _answers(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def url(self, path):
        return "ssh://{}@127.0.0.1:{}{}".format(getpass.getuser(), self.port, path)

    def close(self):
        self._process.terminate()
        self._process.wait()


class HttpServer:
    """`troubles`: answers that it gives before it does what it is asked, status codes or "cut" for half an answer.
    `redirects_to`: the address of another server, to which it sends everybody."""

    def __init__(self, storage, token, write_token=None):
        self.storage = storage
        self.token = token
        self.write_token = write_token or token
        self.redirects_to = None
        self.troubles = []
        self.spoils = False  # what it is given is not what it keeps
        self.asked = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                server.answer(self)

            do_HEAD = do_PUT = do_GET

        class Server(socketserver.ThreadingMixIn, HTTPServer):
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:{}/store".format(self._server.server_port)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request):
        self.asked.append(request.command)
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        trouble = self.troubles.pop() if self.troubles else None
        if self.redirects_to is not None:
            request.send_response(307)
            request.send_header("Location", self.redirects_to + request.path)
            request.end_headers()
            return
        token = self.write_token if request.command == "PUT" else self.token
        if request.headers.get("Authorization") != "Bearer " + token:
            trouble = 401
        if isinstance(trouble, int):
            request.send_error(trouble)
            return
        path = self.storage + request.path[len("/store") :]
        if request.command == "PUT" and os.path.exists(path):
            request.send_error(409)
        elif request.command == "PUT":
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(body[:-1] + b"?" if self.spoils else body)
            request.send_response(201)
            request.end_headers()
        elif not os.path.exists(path):
            request.send_error(404)
        else:
            self._send(request, path, trouble)

    def _send(self, request, path, trouble):
        size = os.stat(path).st_size
        request.send_response(200)
        request.send_header("Content-Length", str(size))
        request.end_headers()
        if request.command == "GET":
            with open(path, "rb") as file:
                if trouble == "cut":
                    request.wfile.write(file.read(size // 2))
                    request.connection.shutdown(socket.SHUT_RDWR)
                else:
                    shutil.copyfileobj(file, request.wfile)
