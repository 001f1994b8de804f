"""The order of tasks within one job: after whom each may start, and how many at once within the job's own cpus and
gpus. Pure: it names what may start and what never will."""

_ROUNDING = 1e-9


class JobProgress:
    def __init__(self, job):
        self.job = job
        self.shape = (job["cpus"], job["memoryBytes"], job["gpus"])
        self.has_resources = False
        self.gpus = []
        self._cpus = job["cpus"]
        self._gpus = []
        self._held = {}  # running attempt -> (cpus, gpu ids)
        self._waiting = {spec["attempt"]: spec for spec in job["tasks"]}
        self._missing = {}  # waiting attempt -> how many it still waits for
        self._dependents = {}
        for attempt, spec in self._waiting.items():
            earlier_ones = set(spec["after"])
            self._missing[attempt] = len(earlier_ones)
            for earlier in earlier_ones:
                if earlier not in self._waiting:
                    raise ValueError("{} waits for {}, which is not in its job".format(attempt, earlier))
                self._dependents.setdefault(earlier, []).append(attempt)
        self._ready = [attempt for attempt, missing in self._missing.items() if missing == 0]

    def leave_out(self, recorded):
        """Attempts that have a record already, with whether they succeeded. Returns what `recorded` returns."""
        never = []
        specs = [(self._waiting.pop(attempt), succeeded) for attempt, succeeded in recorded.items()]
        for spec, succeeded in specs:
            never += self._settle(spec["attempt"], succeeded, spec["task"])
        return never

    def begin(self, gpus):
        """The job has its resources."""
        self.has_resources = True
        self.gpus = list(gpus)
        self._gpus = list(gpus)

    @property
    def needs_nothing(self):
        """No process of it is alive, and none will be started unless a record that is being made says so."""
        return not self._waiting and not self._held

    def waiting(self):
        return list(self._waiting)

    def specs(self):
        return list(self._waiting.values())

    def startable(self):
        """Takes out the tasks that may start now: [(spec, gpu ids)]."""
        chosen, kept = [], []
        for attempt in self._ready:
            spec = self._waiting.get(attempt)
            if spec is None:
                continue
            cpus = min(spec["cpus"], self.job["cpus"])
            gpus = min(spec["gpus"], self.job["gpus"])
            if cpus > self._cpus + _ROUNDING or gpus > len(self._gpus):
                kept.append(attempt)
                continue
            self._cpus -= cpus
            ids, self._gpus = self._gpus[:gpus], self._gpus[gpus:]
            self._held[attempt] = (cpus, ids)
            del self._waiting[attempt]
            chosen.append((spec, ids))
        self._ready = kept
        return chosen

    def ended(self, attempt):
        """The processes of a task are gone; its record is yet to come."""
        cpus, gpus = self._held.pop(attempt)
        self._cpus += cpus
        self._gpus = sorted(self._gpus + gpus)

    def recorded(self, attempt, succeeded, task):
        """Returns the tasks that will never start because of it: [(spec, the task that failed)]."""
        return self._settle(attempt, succeeded, task)

    def cancel(self, attempt):
        """Takes out a task that waits, with those that wait for it; empty when it does not wait."""
        spec = self._waiting.pop(attempt, None)
        return [] if spec is None else [(spec, None)] + self._settle(attempt, False, spec["task"])

    def _settle(self, attempt, succeeded, task):
        if succeeded:
            for dependent in self._dependents.get(attempt, ()):
                self._missing[dependent] -= 1
                if self._missing[dependent] == 0:
                    self._ready.append(dependent)
            return []
        never = []
        failed = [attempt]
        for name in failed:
            for dependent in self._dependents.get(name, ()):
                spec = self._waiting.pop(dependent, None)
                if spec is not None:
                    never.append((spec, task))
                    failed.append(dependent)
        return never
