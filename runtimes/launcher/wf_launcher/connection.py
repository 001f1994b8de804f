"""The one client of a serving launcher: JSON lines over a unix socket, written in batches."""

import json
import os
import socket

_READ_BYTES = 1 << 20


class Connection:
    """`on_message(message)` for each line; `on_closed()` when the client goes."""

    def __init__(self, loop, client, on_message, on_closed):
        self._loop = loop
        self._client = client
        self._fd = client.fileno()
        self._on_message = on_message
        self._on_closed = on_closed
        self._incoming = []
        self._outgoing = []
        self._is_writing = False
        self._is_open = True
        client.setblocking(False)
        loop.watch(self._fd, self._ready)

    def send(self, event):
        self.send_text(json.dumps(event, separators=(",", ":")).encode("ascii"))

    def send_text(self, text):
        if self._is_open:
            self._outgoing.append(text)

    def flush(self):
        if not self._outgoing or not self._is_open:
            return
        content = b"\n".join(self._outgoing) + b"\n"
        self._outgoing = []
        try:
            sent = self._client.send(content)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.close()
            return
        if sent < len(content):
            self._outgoing = [content[sent:-1]]  # the last newline comes again with the next flush
        self._set_writing(sent < len(content))

    def _set_writing(self, writing):
        if writing != self._is_writing:
            self._is_writing = writing
            self._loop.watch(self._fd, self._ready, writing)

    def _ready(self, _):
        try:
            received = self._client.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            self.close()
            return
        self._incoming.append(received)
        if b"\n" not in received:
            return
        lines = b"".join(self._incoming).split(b"\n")
        self._incoming = [lines.pop()]
        for line in lines:
            if line and self._is_open:
                self._receive(line)

    def _receive(self, line):
        try:
            message = json.loads(line.decode("utf-8"))
        except ValueError as error:
            self.send({"event": "error", "message": "not a line of JSON: {}".format(error)})
            return
        self._on_message(message)

    def close(self):
        if self._is_open:
            self._is_open = False
            self._loop.unwatch(self._fd)
            self._client.close()
            self._on_closed()


def listen(path):
    """A socket that only this user can reach. One that a dead launcher left is replaced: the lock says it is dead."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        server.bind(path)
    finally:
        os.umask(mask)
    server.listen(8)
    server.setblocking(False)
    return server
