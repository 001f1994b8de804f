import csv
from pathlib import Path

import numpy as np
import pytest

from wf_ml import seeds
from wf_ml.crisis.embedding import learn_vectors, read_glove, write_glove
from wf_ml.crisis.generate import generate
from wf_ml.crisis.posts import CASES, LABELS, post
from wf_ml.crisis.split import NO_WORDS, REPEATED, reasons, split
from wf_ml.crisis.table import Tweet, read_tweets, write_tweets
from wf_ml.crisis.texts import PHRASES, any_event, tweet
from wf_ml.crisis.tokens import tokens_of
from wf_ml.crisis.vocabulary import UNKNOWN, encoded, initial_weights, vocabulary_of
from wf_ml.errors import DataError
from wf_ml.images import write_png
from wf_ml.rows import read_rows


def test_tokens_are_those_of_glove() -> None:
    text = "RT @jo_7: 12 people TRAPPED!!! can't move 😱 #VeldenFlood https://t.co/abc"
    wanted = "rt <user> <number> people trapped ! <repeat> can't move 😱 <hashtag> velden flood <url>"
    assert tokens_of(text) == wanted.split(" ")
    assert tokens_of("https://t.co/x @me") == ["<url>", "<user>"]


def test_the_seed_decides_and_the_number_of_workers_does_not(tmp_path: Path) -> None:
    for name, seed, workers in (("one", 4, 1), ("two", 4, 2), ("other", 5, 1)):
        generate(tmp_path / name, 8, seed, workers)
    one, two, other = (
        [path.read_bytes() for path in sorted((tmp_path / name).rglob("*")) if path.is_file()]
        for name in ("one", "two", "other")
    )
    assert one == two and one != other


def test_either_text_or_picture_often_misleads_and_seldom_both() -> None:
    share = {case[:2]: case[2] for case in CASES}
    assert sum(share.values()) == pytest.approx(1)
    assert sum(s for (text, _), s in share.items() if text != "clear") > 0.25
    assert sum(s for (_, picture), s in share.items() if picture != "clear") > 0.25
    assert sum(s for (text, picture), s in share.items() if text != "clear" != picture) < 0.05
    labels = [post(seeds.rng(1, number)).label for number in range(300)]
    assert 0.45 < labels.count(LABELS[0]) / 300 < 0.65


def test_slots_are_filled_for_every_kind() -> None:
    for kind in PHRASES:
        for number in range(60):
            rng = seeds.rng(2, kind, number)
            made = tweet(rng, kind, any_event(rng))
            assert "{" not in made and tokens_of(made)


def test_words_in_the_same_company_have_near_vectors() -> None:
    texts = [["the", animal, "sleeps", "here"] for animal in ("cat", "dog")] * 40
    texts += [["drive", "a", thing, "fast"] for thing in ("car", "truck")] * 40
    vectors = learn_vectors(texts, dimensions=6)

    def likeness(a: str, b: str) -> float:
        return float(vectors[a] @ vectors[b] / np.linalg.norm(vectors[a]) / np.linalg.norm(vectors[b]))

    assert likeness("cat", "dog") > 0.9 > 0.3 > likeness("cat", "truck")


def test_glove_files_come_back_and_bad_ones_are_named(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    write_glove(path, {"a": np.array([1.0, -2.0]), "b": np.array([0.5, 0.25])})
    found, dimensions = read_glove(path, ["b", "zebra"])
    assert dimensions == 2 and list(found) == ["b"] and found["b"].tolist() == [0.5, 0.25]
    path.write_text("2 2\na 1 2\nb 3 4\n")
    assert sorted(read_glove(path, ["a", "b"])[0]) == ["a", "b"]
    for text, words in (("", "empty"), ("a 1 2\nb 3\n", "line 2"), ("a 1 x\n", "line 1")):
        path.write_text(text)
        with pytest.raises(DataError, match=f"{words}.*glove.txt"):
            read_glove(path, ["a", "b"])
    with pytest.raises(DataError, match="not there.*none.txt"):
        read_glove(tmp_path / "none.txt", [])


def test_words_become_numbers_and_unknown_ones_too() -> None:
    vocabulary = vocabulary_of([["b", "a", "a"], ["b", "c"]])
    assert vocabulary == ["a", "b"]
    assert encoded([["a", "q", "b", "a"], []], vocabulary, 3).tolist() == [[2, UNKNOWN, 3], [UNKNOWN, 0, 0]]
    weights = initial_weights(vocabulary, {"b": np.array([7.0, 8.0])}, 2, seed=1)
    assert weights[3].tolist() == [7.0, 8.0] and weights[0].tolist() == [0.0, 0.0] and bool((weights[2] != 0).all())


def test_what_is_said_again_is_left_out() -> None:
    tweets = [
        Tweet("1", "flood in Velden #velden", "a.png", "x"),
        Tweet("2", "RT @jo: flood in Velden #velden https://t.co/z", "a.png", "x"),
        Tweet("3", "this! RT @jo: flood in Velden #velden", "a.png", "x"),
        Tweet("4", "flood in Velden #velden", "b.png", "x"),
        Tweet("5", "https://t.co/z", "c.png", "x"),
    ]
    assert reasons(tweets) == {"2": REPEATED, "5": NO_WORDS}


def test_a_picture_is_in_one_part_only(tmp_path: Path) -> None:
    (tmp_path / "in" / "images").mkdir(parents=True)
    tweets = []
    for number in range(20):
        write_png(tmp_path / "in" / "images" / f"{number}.png", np.full((8, 8), number, np.uint8))
        for again in range(2):
            words = f"tweet {'abcdefghijklmnopqrst'[number]} {'again' * again}"
            tweets.append(Tweet(f"{number}-{again}", words, f"{number}.png", "yes" if number % 2 else "no"))
    write_tweets(tmp_path / "in", tweets)
    outs = [tmp_path / part for part in ("train", "val", "test")]
    assert split(tmp_path / "in", outs, (0.6, 0.2, 0.2), seed=1) == {}
    shown = [{row["id"].split("-")[0] for row in read_rows(out, files=["image"], values=["id"])} for out in outs]
    assert sum(map(len, shown)) == 20 and not shown[0] & shown[1] and not shown[1] & shown[2]


def bad_table(folder: Path, text: str) -> str:
    (folder / "images").mkdir(parents=True, exist_ok=True)
    write_png(folder / "images" / "a.png", np.zeros((8, 8), np.uint8))
    (folder / "tweets.csv").write_text(text, "utf-8")
    with pytest.raises(DataError) as error:
        read_tweets(folder)
    return str(error.value)


def test_bad_tables_are_named_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no table of tweets.*tweets.csv"):
        read_tweets(tmp_path / "nowhere")
    head = "id,text,image,label\n"
    missing = bad_table(tmp_path, f"{head}1,hello,a.png,x\n2,hello,gone.png,x\n")
    assert 'tweet "2"' in missing and "tweets.csv:3" in missing and "gone.png" in missing
    assert "not there" in bad_table(tmp_path, f"{head}1,hello,../tweets.csv,x\n")
    assert "has no text" in bad_table(tmp_path, f"{head}1, ,a.png,x\n")
    assert 'no column "label"' in bad_table(tmp_path, "id,text,image\n1,a,a.png\n")
    assert 'the id "1"' in bad_table(tmp_path, f"{head}1,a,a.png,x\n1,b,a.png,x\n")
    assert "no tweets" in bad_table(tmp_path, head)
    (tmp_path / "tweets.csv").write_bytes(b"id,text,image,label\n1,\xff\xfe,a.png,x\n")
    with pytest.raises(DataError, match="UTF-8"):
        read_tweets(tmp_path)


def test_tables_keep_quotes_and_lines(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    write_png(tmp_path / "images" / "a b.png", np.zeros((8, 8), np.uint8))
    odd = Tweet("1", 'he said "run",\nthen ran', "a b.png", "x")
    write_tweets(tmp_path, [odd])
    assert read_tweets(tmp_path) == [odd]
    with open(tmp_path / "tweets.csv", newline="") as file:
        assert len(list(csv.reader(file))) == 2
