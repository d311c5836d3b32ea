import numpy as np

from nccp.inputs import plain_word
from nccp.inputs.words.ngrams import Table
from nccp.inputs.words.table import WordMemory, WordTable
from nccp.inputs.words.vectors import Vectors


def vectors():
    return Vectors.from_words(["cat", "("], Table(np.array([[1, 2], [3, 4]], np.float32)))


def test_words_of_treebanks_and_users_have_one_spelling():
    words = ("-LRB-", "``", "''", "”", "1\\/2", "don’t")
    assert [plain_word(word) for word in words] == ["(", '"', '"', '"', "1/2", "don't"]


def test_words_of_treebanks_and_users_are_the_same_to_the_table():
    table = WordTable(["("], vectors(), 50)
    words = ["-LRB-", "("]
    assert table.frozen(words).tolist() == [[3, 4], [3, 4]]
    assert table.rows(words).tolist() == [1, 1]
    runs = table.ngrams(words)
    assert runs.ids[: runs.offsets[1]].tolist() == runs.ids[runs.offsets[1] :].tolist()


def test_parts_that_are_not_there():
    table = WordTable()
    assert table.frozen(["a", "b"]).shape == (2, 0)
    assert table.rows(["a"]).tolist() == [0]
    assert len(table.ngrams(["a"]).ids) == 0


def numbers(words):
    return np.array([[float(word[1:])] for word in words], np.float32)


def test_memory_computes_a_word_once():
    seen = []

    def compute(words):
        seen.extend(words)
        return numbers(words)

    memory = WordMemory(1, compute, 100)
    for words in (["w1", "w2", "w1"], ["w3", "w2"], []):
        found = memory.lookup(words)
        assert found.vectors[found.rows].tolist() == numbers(words).reshape(-1, 1).tolist()
    assert seen == ["w1", "w2", "w3"]


def test_memory_forgets_when_it_is_full():
    memory = WordMemory(1, numbers, 10)
    for start in range(0, 40, 4):
        words = [f"w{start + k}" for k in range(4)] + ["w3"]
        found = memory.lookup(words)
        assert found.vectors[found.rows, 0].tolist() == [float(word[1:]) for word in words]
        assert len(memory._numbers) <= 10


def test_memory_forgets_when_its_words_are_long(monkeypatch):
    monkeypatch.setattr("nccp.inputs.words.table._LETTERS", 100)
    memory = WordMemory(1, numbers, 1000)
    for number in range(40):
        memory.lookup([f"w{number:030}"])
        assert len(memory._numbers) <= 4


def test_memory_takes_more_words_at_once_than_it_keeps():
    memory = WordMemory(1, numbers, 10)
    words = [f"w{i}" for i in range(3000)]
    found = memory.lookup(words)
    assert found.vectors[found.rows, 0].tolist() == list(range(3000))
