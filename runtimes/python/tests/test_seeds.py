from wf_ml.seeds import derive, rng


def test_a_stream_hangs_on_its_seed_and_name_alone() -> None:
    assert rng(4, "image", 1).random() == rng(4, "image", 1).random()
    streams = {rng(seed, name, 1).random() for seed in (4, 5) for name in ("image", "mask")}
    assert len(streams) == 4


def test_names_do_not_run_into_each_other() -> None:
    assert derive(1, "a", "bc") != derive(1, "ab", "c")
    assert derive(1, "a") != derive(11, "a")
    assert 0 <= derive(1, "a") < 2**63
