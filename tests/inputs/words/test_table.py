import numpy as np

from nccp.inputs.spelling import plain_word
from nccp.inputs.words import table as words_module
from nccp.inputs.words.table import WordTable
from nccp.inputs.words.vectors import Table, Vectors


def vectors():
    return Vectors.from_words(["cat", "("], Table(np.array([[1, 2], [3, 4]], np.float32)))


def test_words_of_treebanks_and_users_are_the_same_to_the_table():
    assert [plain_word(w) for w in ("-LRB-", "``", "''", "”", "1\\/2", "don’t")] == [
        "(",
        '"',
        '"',
        '"',
        "1/2",
        "don't",
    ]
    table = WordTable(["("], vectors(), 50)
    a, b = table.numbers(["-LRB-", "("])
    assert table.frozen(np.array([a, b])).tolist() == [[3, 4], [3, 4]]
    assert table.rows(np.array([a, b])).tolist() == [1, 1]
    runs = table.ngrams(np.array([a, b]))
    assert runs.ids[: runs.offsets[1]].tolist() == runs.ids[runs.offsets[1] :].tolist()


def test_rows_belong_to_their_words_however_they_come():
    table = WordTable(["a", "b"], None, 100)
    first = table.numbers(["x", "a"])
    again = table.numbers(["b", "a", "y", "x", "a"])
    assert table.rows(again).tolist() == [2, 1, 0, 0, 1]
    assert again[3] == first[0]
    alone = WordTable(["a", "b"], None, 100)
    assert table.ngrams(again[2:3]).ids.tolist() == alone.ngrams(alone.numbers(["y"])).ids.tolist()


def test_the_table_forgets_when_it_is_full(monkeypatch):
    monkeypatch.setattr(words_module, "_MANY", 10)
    table = WordTable(["w3"], None, 100)
    for i in range(0, 40, 4):
        batch = [f"w{i + k}" for k in range(4)] + ["w3"]
        assert table.rows(table.numbers(batch))[-1] == 1
        assert len(table._numbers) <= 10
