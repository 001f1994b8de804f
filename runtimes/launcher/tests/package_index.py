"""A package index of one folder of wheels, on this machine."""

import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer


class PackageIndex:
    def __init__(self, wheels):
        self._paths = []
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                index._paths.append(self.path)
                body = index._page(wheels, self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "application/zip")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *words):
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:{}/simple".format(self._server.server_port)

    def asked(self, path):
        """How often."""
        return self._paths.count(path)

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    @staticmethod
    def _page(wheels, path):
        name = path.strip("/").split("/")[-1]
        if path.endswith("/"):
            found = [wheel for wheel in os.listdir(wheels) if wheel.startswith(name + "-")]
            links = "".join('<a href="/files/{0}">{0}</a>\n'.format(wheel) for wheel in found)
            return "<!DOCTYPE html><html><body>{}</body></html>".format(links).encode() if found else None
        try:
            with open(os.path.join(wheels, name), "rb") as file:
                return file.read()
        except OSError:
            return None
