"""What a task sees around it: its environment, and the program that its first argument names."""

import errno
import os

from .failure import Failure, of_os_error
from .names import native, printable

_PASSED_ON = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ")
_GPU_VARIABLES = ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


class Environment:
    """Law: a task gets what is named here, what the site's setup changed and what is in its own `env`, and nothing else
    of the launcher's environment."""

    def __init__(self, run, setup=None, source=os.environ):
        self._setup = setup
        self._base = {name: source[name] for name in _PASSED_ON if name in source}
        self._base.setdefault("LANG", "C.UTF-8")
        self._base.setdefault("PATH", _DEFAULT_PATH)
        if "HOME" not in self._base:
            self._base.update(_home())
        self._base["WF_RUN"] = native(run)
        self.search_path = self._base["PATH"]
        self._gpu_names = named_gpus(source)

    def of(self, attempt, has_task_file, site_has_gpus):
        spec = attempt.spec
        folder = attempt.sandbox.folder
        variables = dict(self._base)
        if self._setup is not None:
            self._setup.apply(variables, attempt.job)
        variables["TMPDIR"] = folder + "/sandbox/tmp"
        variables["WF_TASK_NAME"] = native(spec["task"])
        variables["WF_ATTEMPT"] = native(attempt.id)
        variables["WF_CPUS"] = "%g" % spec["cpus"]
        variables["WF_METRICS"] = folder + "/metrics.jsonl"
        if has_task_file:
            variables["WF_TASK"] = folder + "/task.json"
        if site_has_gpus:
            names = [self._gpu_names.get(gpu, str(gpu)) for gpu in attempt.gpus]
            variables.update(dict.fromkeys(_GPU_VARIABLES, ",".join(names)))
        for name, value in spec["env"].items():
            variables[native(name)] = native(value)
        first = [native(folder) for folder in spec.get("path", ())]
        if first:
            variables["PATH"] = ":".join(first + [variables["PATH"]])
        return variables


def _home():
    """HTCondor starts jobs without it. Whoever has none on this machine gets none."""
    import pwd

    try:
        home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return {}
    return {"HOME": home} if os.path.isdir(home) else {}


def named_gpus(source):
    """{number: name} of the GPUs that a scheduler gave to this job, where it names them otherwise than by number, as
    HTCondor does: numbers are their places in its list then."""
    for variable in _GPU_VARIABLES:
        words = [word.strip() for word in source.get(variable, "").split(",")]
        if all(words) and not all(word.isdigit() for word in words):
            return dict(enumerate(words))
    return {}


def candidates(program, search_path):
    """The files that may be meant, in order. Relative ones are seen from the sandbox."""
    if "/" in program:
        return [program]
    return [os.path.join(folder or ".", program) for folder in search_path.split(":")]


def first_executable(program, search_path, sandbox):
    for candidate in candidates(program, search_path):
        absolute = os.path.join(sandbox, candidate)
        if os.path.isfile(absolute) and os.access(absolute, os.X_OK):
            return candidate
    return None


def cannot_start(error, program, path, sandbox):
    """The failure that says why `program` did not start."""
    name = printable(program)
    if path is None:
        return Failure("not-started", "command not found or not executable: {}".format(name))
    if error.errno == errno.ENOENT and os.path.exists(os.path.join(sandbox, path)):
        return Failure("not-started", "cannot start {}: the interpreter in its first line does not exist".format(name))
    if error.errno == errno.ENOEXEC:
        return Failure("not-started", "cannot start {}: not a program, and no #! line".format(name))
    return of_os_error(error, "not-started", "cannot start {}".format(name))
