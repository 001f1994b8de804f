"""Which rank this process is: whoever started it has said so in the environment, each in its own words."""

_SOURCES = (
    ("WF_RANK", "WF_LOCAL_RANK"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("PMI_RANK", "MPI_LOCALRANKID"),
    ("RANK", "LOCAL_RANK"),
    ("SLURM_PROCID", "SLURM_LOCALID"),
)


def position(variables):
    """(rank, local rank). Raises ValueError where nobody has said."""
    for rank, local_rank in _SOURCES:
        if rank in variables:
            return int(variables[rank]), int(variables.get(local_rank, variables[rank]))
    raise ValueError("nobody has said which rank this process is")
