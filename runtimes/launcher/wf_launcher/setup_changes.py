"""What the lines of a site's setup (`module load cuda`) changed in the environment of a job: what was exported before the
first of them, against what is after the last. The script of the job says both (packages/site/src/setup-lines.ts): what
starts Python may change more, and so does Python itself.

Law: a change reaches every task of the job, except for what belongs to the shell, to the launcher or to the scheduler,
and for secrets. What a task or its site says in `env` goes before it.
"""

from .names import printable

_BEFORE = "WF_SETUP_BEFORE"
_AFTER = "WF_SETUP_AFTER"
_BETWEEN = "\1"
_OF_SCHEDULERS = ("SLURM", "SBATCH_", "SRUN_", "SPANK_", "PMI_", "PMIX_", "_CONDOR_", "CONDOR_")
_OF_SHELLS = ("_", "PWD", "OLDPWD", "SHLVL")
_OF_LAUNCHER = ("TMPDIR",)
_SECRET_WORDS = {"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY"}
_SHOWN = 1000


class SetupChanges:
    def __init__(self, given, unset):
        self._given = given  # {name: value}
        self._unset = unset

    def apply(self, variables, job):
        """To what a task of this job is to see. No task goes without a PATH."""
        for name in self._unset:
            if name != "PATH":
                variables.pop(name, None)
        variables.update((name, value) for name, value in self._given.items() if not _is_secret(name, job))

    def document(self, job):
        """For the record: null in place of the value of a secret, and long values cut."""
        given = {name: None if _is_secret(name, job) else _shown(self._given[name]) for name in sorted(self._given)}
        return {"set": given, "unset": self._unset}


def take(environment):
    """None where there are no lines of setup, or they changed nothing. Nobody inherits what the script said."""
    before = _entries(environment.pop(_BEFORE, ""))
    after = _entries(environment.pop(_AFTER, ""))
    return between(before, after) if before and after else None


def between(before, after):
    given = {name: after[name] for name in after if before.get(name) != after[name] and _is_of_tasks(name)}
    unset = sorted(name for name in before if name not in after and _is_of_tasks(name))
    return SetupChanges(given, unset) if given or unset else None


def _entries(text):
    return dict(entry.split("=", 1) for entry in text.split(_BETWEEN) if "=" in entry)


def print_changes(environment):
    """As a record would say it, for who tries the lines on a login node."""
    from .quick_json import encode

    changes = take(environment) or SetupChanges({}, [])
    print(encode(changes.document({"tasks": []})))
    return 0


def _is_of_tasks(name):
    """A function that bash exports has a name that no variable can have."""
    if not name.replace("_", "a").isalnum() or name in _OF_SHELLS or name in _OF_LAUNCHER:
        return False
    return not name.startswith(_OF_SCHEDULERS) and not name.startswith("WF_")


def _is_secret(name, job):
    """By its name, or because a task of the job says so."""
    words = name.upper().split("_")
    if words[-1] == "KEY" or not _SECRET_WORDS.isdisjoint(words):
        return True
    return any(name in spec.get("secrets", ()) for spec in job["tasks"])


def _shown(value):
    value = printable(value)
    return value if len(value) <= _SHOWN else value[:_SHOWN] + "..."
