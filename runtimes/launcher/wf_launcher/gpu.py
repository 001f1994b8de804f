"""What the vendors' tools say of GPUs. Pure functions on their text.

They were written against recorded output of nvidia-smi and rocm-smi and have not met a real GPU yet.
"""

from . import quick_json

NVIDIA_QUERY = ["nvidia-smi", "--query-gpu=index,utilization.gpu,memory.used", "--format=csv,noheader,nounits"]
ROCM_QUERY = ["rocm-smi", "--showuse", "--showmeminfo", "vram", "--json"]
_MEBIBYTE = 1 << 20


def parse_nvidia(text):
    """{gpu id: (percent, bytes)}. What the tool does not know ("[N/A]") is None."""
    gpus = {}
    for line in text.splitlines():
        fields = [field.strip() for field in line.split(",")]
        if len(fields) == 3 and fields[0].isdigit():
            memory = _number(fields[2])
            gpus[int(fields[0])] = (_number(fields[1]), None if memory is None else int(memory * _MEBIBYTE))
    return gpus


def parse_rocm(text):
    """The same from JSON; the tool may print warnings before it."""
    start = text.find("{")
    try:
        cards = quick_json.loads(text[start:]) if start >= 0 else {}
    except ValueError:
        return {}
    gpus = {}
    for card, facts in cards.items():
        number = card[len("card") :]
        if card.startswith("card") and number.isdigit() and isinstance(facts, dict):
            memory = _number(facts.get("VRAM Total Used Memory (B)"))
            gpus[int(number)] = (_number(facts.get("GPU use (%)")), None if memory is None else int(memory))
    return gpus


def _number(field):
    try:
        return float(field)
    except (TypeError, ValueError):
        return None


def of_assigned(figures, ids):
    """(mean percent, summed bytes) over an attempt's GPUs; None where any of them is unknown."""
    known = [figures.get(gpu, (None, None)) for gpu in ids]
    percents = [percent for percent, _ in known]
    memory = [used for _, used in known]
    return (
        None if not known or None in percents else sum(percents) / len(percents),
        None if not known or None in memory else sum(memory),
    )
