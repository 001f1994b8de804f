"""A store over ssh: the launcher there answers (store_server.py). One connection serves all objects of a call."""

import os
import re
import shlex
import shutil
import subprocess
from urllib.parse import unquote, urlsplit

from .remote_store import StoreError

_BATCH = 200  # requests whose answers are awaited together; they fit into a pipe
_OPTIONS = ("BatchMode=yes", "ConnectTimeout=20", "ServerAliveInterval=15", "ServerAliveCountMax=4")
# Words of ssh that stay true however often it is asked.
_FINAL = re.compile("Host key verification failed|Permission denied|command not found|No such file")


class SshStore:
    def __init__(self, described, scratch):
        self._argv = _ssh(described, scratch)

    def fetch(self, content_hashes, arrivals):
        with _Connection(self._argv) as connection:
            for batch in _batches(content_hashes):
                connection.ask("get " + content_hash for content_hash in batch)
                for _ in batch:
                    content_hash, size, *mode = connection.answer()
                    if size != "none":
                        connection.read(lambda stream: arrivals.take(stream, content_hash, int(size), mode == ["x"]))

    def deliver(self, content_hashes, folder):
        with _Connection(self._argv) as connection:
            for batch in _batches(content_hashes):
                connection.ask("has " + content_hash for content_hash in batch)
                there = {content_hash for content_hash, says in connection.answers(batch) if says == "yes"}
                yield from there
                for content_hash in (missing for missing in batch if missing not in there):
                    connection.send(content_hash, folder.object(content_hash))
                connection.ask(())
                for content_hash, verdict in connection.answers(set(batch) - there):
                    if verdict != "ok":
                        raise StoreError("object {} was damaged on the way".format(content_hash))
                    yield content_hash


class _Connection:
    def __init__(self, argv):
        self._argv = argv

    def __enter__(self):
        try:
            self._process = subprocess.Popen(
                self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise StoreError("ssh cannot be started: {}".format(error), is_final=True) from None
        return self

    def __exit__(self, kind, error, _trace):
        """An end of the connection is told in ssh's own words."""
        process = self._process
        try:
            process.stdin.close()
        except OSError:
            pass
        if error is not None:
            process.kill()
        said = process.stderr.read().decode("utf-8", "replace").strip()
        process.stdout.close()
        process.stderr.close()
        process.wait()
        if isinstance(error, (OSError, EOFError)):
            raise StoreError(said or str(error), _FINAL.search(said) is not None) from error

    def ask(self, requests):
        self._process.stdin.write("".join(request + "\n" for request in requests).encode("ascii") + b"\n")
        self._process.stdin.flush()

    def send(self, content_hash, path):
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            mode = "x" if found.st_mode & 0o100 else "-"
            self._process.stdin.write("put {} {} {}\n".format(content_hash, found.st_size, mode).encode("ascii"))
            shutil.copyfileobj(file, self._process.stdin, 1 << 20)

    def answer(self):
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError("the connection ended")
        return line.decode("ascii").split()

    def answers(self, asked):
        return [self.answer() for _ in asked]

    def read(self, take):
        take(self._process.stdout)


def _batches(content_hashes):
    return [content_hashes[start : start + _BATCH] for start in range(0, len(content_hashes), _BATCH)]


def _ssh(described, scratch):
    """Files that came with the job lie in `scratch`; without them, what ssh knows on this machine counts."""
    url = urlsplit(described["url"])
    argv = ["ssh"]
    for option in _OPTIONS:
        argv += ["-o", option]
    if described.get("identity"):
        identity = scratch + "/" + described["identity"]
        os.chmod(identity, 0o600)
        argv += ["-i", identity, "-o", "IdentitiesOnly=yes"]
    if described.get("knownHosts"):
        argv += ["-o", "UserKnownHostsFile={}/{}".format(scratch, described["knownHosts"])]
    argv += ["-o", "StrictHostKeyChecking=yes"]
    if url.port is not None:
        argv += ["-p", str(url.port)]
    host = url.hostname if url.username is None else "{}@{}".format(unquote(url.username), url.hostname)
    there = described["command"] + ["store", unquote(url.path)]
    return argv + ["--", host, " ".join(map(shlex.quote, there))]
