"""What one rank sees: the environment of its task, who it is among the others, and how to find them."""

import os

from . import launch_file

# Of the programs that may have started it. Without them an MPI program would not find its world.
_PASSED_ON = ("OMPI_", "PMIX_", "PMI_", "MPI_", "HYDI_", "HYDRA_", "TORCHELASTIC_", "GROUP_", "ROLE_", "LOCAL_WORLD_")
_GPU_VARIABLES = ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")


class RankEnvironment:
    """Law: a rank gets what its task gets, and nothing else of who started it. `source`: the starter's environment."""

    def __init__(self, launch, rank, local_rank, source):
        self._launch = launch
        self._rank = rank
        self._local_rank = local_rank
        self._source = source
        self.search_path = source.get("PATH", os.defpath)

    def of(self, _attempt, _has_task_file, _site_has_gpus):
        source, folder = self._source, self._launch["folder"]
        variables = {name: source[name] for name in self._launch["variables"] if name in source}
        variables.update((name, source[name]) for name in source if name.startswith(_PASSED_ON))
        if "SLURM_PROCID" in source:
            # Other nodes have other GPUs than the one on which the task was prepared.
            variables.update((name, source[name]) for name in _GPU_VARIABLES if name in source)
        rank, local_rank, size = str(self._rank), str(self._local_rank), str(self._launch["size"])
        variables.update(
            WF_RANK=rank,
            WF_LOCAL_RANK=local_rank,
            WF_WORLD_SIZE=size,
            WF_RENDEZVOUS=launch_file.rendezvous(folder),
            WF_METRICS=launch_file.metrics(folder, self._rank),
            WF_CPUS="%g" % self._launch["cpus"],
            RANK=rank,
            LOCAL_RANK=local_rank,
            WORLD_SIZE=size,
            MASTER_ADDR=source.get("MASTER_ADDR") or source.get("SLURM_LAUNCH_NODE_IPADDR") or "127.0.0.1",
            MASTER_PORT=source.get("MASTER_PORT") or str(self._launch["masterPort"]),
        )
        return variables
