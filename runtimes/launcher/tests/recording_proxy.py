"""A proxy on this machine that notes where people want to go, and leads nowhere."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn


class RecordingProxy:
    def __init__(self):
        self.asked = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_CONNECT(self):
                proxy.asked.append(self.path)
                self.send_error(502)

            def log_message(self, *words):
                pass

        class Server(ThreadingMixIn, HTTPServer):
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:{}".format(self._server.server_port)

    def close(self):
        self._server.shutdown()
        self._server.server_close()
