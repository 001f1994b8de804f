"""Commands of the scheduler: in a clean environment, with a time-out, and counted."""

import os
import subprocess

_TIMEOUT_SECONDS = 120
# What sbatch exports to a job is what it is started with. The rest of the environment stays here, be it secrets of the
# user or variables with which the scheduler would be told other things than the script says.
_PASSED_ON = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "LD_LIBRARY_PATH", "SLURM_CONF", "CONDOR_CONFIG")


class Result:
    def __init__(self, code, stdout, stderr):
        self.code = code  # None: ended by a signal or by its time-out
        self.stdout = stdout
        self.stderr = stderr


class SchedulerCommands:
    def __init__(self, source=os.environ):
        self._environment = {name: source[name] for name in _PASSED_ON if name in source}
        self.counts = {}

    def run(self, argv, more=None, folder=None):
        """`more`: variables; `folder`: where it runs."""
        self.counts[argv[0]] = self.counts.get(argv[0], 0) + 1
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(self._environment, **(more or {})),
            cwd=folder,
        )
        try:
            stdout, stderr = process.communicate(timeout=_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            stdout, stderr = process.communicate()
            stderr += b"\n%s did not answer within %d s" % (argv[0].encode(), _TIMEOUT_SECONDS)
        code = process.returncode if process.returncode >= 0 else None
        return Result(code, stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace"))
