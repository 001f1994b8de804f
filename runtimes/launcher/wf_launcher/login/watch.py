"""`watch STORAGE RUN`: tells of attempts as they start and as they get their records, one JSON object a line:
`{"attempt", "started"}`, `{"attempt", "record"}`, or `{"attempt", "unreadable"}` where what lies there is no document.

Where HTCondor writes an event log for the run, its events are told, too, as `{"events": "<c>...</c>..."}`: all of them
from the beginning at each start, so that who hears them must not mind to hear one again. `{"eventsLost": true}`: some
may be missing.

Reads `{"watch": [ATTEMPT, ...]}` and `{"forget": [ATTEMPT, ...]}` from stdin, and ends with it. Its memory grows with
what is watched, not with what there is.
"""

import errno
import json
import os
import select
import sys
import time

from .. import canonical, quick_json, whole_file
from ..folders import RunFolder
from ..names import native
from .event_log import EventLog

_LOOK_SECONDS = 0.2
# A folder of another machine may have changed although it does not look so.
_LOOK_ANYWAY_SECONDS = 5


class WatchedFolder:
    def __init__(self, path):
        self._path = path
        self._changed_ns = None
        self._looked = 0

    def names(self, is_urgent):
        """What it holds, or None where nothing has changed since the last look."""
        try:
            changed_ns = os.stat(self._path).st_mtime_ns
            now = time.monotonic()
            if not is_urgent and changed_ns == self._changed_ns and now - self._looked < _LOOK_ANYWAY_SECONDS:
                return None
            names = os.listdir(self._path)
        except FileNotFoundError:
            return None
        self._changed_ns, self._looked = changed_ns, now
        return names


class Watcher:
    def __init__(self, folder, tell):
        self._folder = folder
        self._tell = tell
        self._records = WatchedFolder(folder.records)
        self._started = WatchedFolder(folder.started)
        self._unrecorded = {}  # the name of a file -> the attempt
        self._unstarted = {}
        self._is_urgent = False

    def obey(self, command):
        for attempt in command.get("watch", ()):
            name = native(attempt) + ".json"
            self._unrecorded[name] = self._unstarted[name] = attempt
            self._is_urgent = True
        for attempt in command.get("forget", ()):
            self._forget(native(attempt) + ".json")

    def _forget(self, name):
        self._unrecorded.pop(name, None)
        self._unstarted.pop(name, None)

    def look(self):
        """Records first, so that what is told to have started had no record yet, or is told right after."""
        recorded = self._found(self._records, self._unrecorded)
        started = self._found(self._started, self._unstarted)
        self._is_urgent = False
        for name in started:
            content, _ = _read(self._folder.start_marker(self._unstarted[name]))
            if content is None:
                self._is_urgent = True  # it is being written
                continue
            self._say({"attempt": self._unstarted.pop(name), "started": content})
        for name in recorded:
            content, why = _read(self._folder.record(self._unrecorded[name]))
            if content is None and why is None:
                self._is_urgent = True
                continue
            attempt = self._unrecorded[name]
            self._forget(name)
            self._say({"attempt": attempt, "record": content} if why is None else {"attempt": attempt, "unreadable": why})

    def _say(self, what):
        self._tell(quick_json.encode(what).encode("ascii") + b"\n")

    def _found(self, folder, wanted):
        names = folder.names(self._is_urgent) if wanted else None
        return [] if names is None else [name for name in names if name in wanted]


def _read(path):
    """(document, None), or (None, why): what lies there is whole, as it came by a rename, but may be anything, since
    tasks can write there. (None, None) where there is no file."""
    try:
        content = whole_file.read(path)
    except OSError as error:
        return None, None if error.errno == errno.ENOENT else error.strerror
    try:
        document = canonical.parse(content)
        quick_json.encode(document)
    except (ValueError, RecursionError) as error:
        return None, "not JSON: {}".format(error)
    return document, None


def watch(storage, run):
    output = sys.stdout.buffer

    def tell(line):
        output.write(line)

    def tell_events(events):
        tell(json.dumps({"events": events.decode("utf-8", "replace")}).encode() + b"\n")

    folder = RunFolder(storage, run)
    watcher = Watcher(folder, tell)
    event_log = EventLog(folder.root + "/condor.log", tell_events, lambda: tell(b'{"eventsLost":true}\n'))
    output.write(b'{"watching":true}\n')
    unread = b""
    while True:
        output.flush()
        readable, _, _ = select.select([0], [], [], _LOOK_SECONDS)
        if readable:
            chunk = os.read(0, 1 << 16)
            if not chunk:
                return 0
            lines = (unread + chunk).split(b"\n")
            unread = lines.pop()
            for line in lines:
                watcher.obey(json.loads(line.decode("utf-8")))
        watcher.look()
        event_log.look()
