"""What all attempts of a launcher share."""

from .seals import Seals
from .spare_sandboxes import SpareSandboxes


class Site:
    def __init__(self, folder, durable):
        self.folder = folder
        self.durable = durable  # records and outputs must outlive a power cut, and cross machines
        self.seals = Seals(folder.storage, durable)
        self.spares = SpareSandboxes(folder.attempts)
        self.has_gpus = False
        self.has_named_gpus = False  # the scheduler has not said which numbers they have
        self.setup = None  # SetupChanges, where lines of setup ran before the launcher
        self.has_srun = False  # ranks of distributed tasks lie on the nodes of a job of SLURM
