"""A run that learns the word vectors of another model beside its trees."""

from __future__ import annotations

import pytest
import torch

from nccp.errors import ConfigError
from nccp.training.checkpoints import load_run, read_tensors
from nccp.training.export_run import export_run
from nccp.training.run_folder import RunFolder
from nccp.training.teacher import Teacher
from nccp.training.trainer import train
from tests.training.grammar import small_config, write_treebank

pytestmark = pytest.mark.slow

SENTENCES = [["the", "cat", "saw", "a", "big", "dog", "."], ["a", "zebra", "slept"]]
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    return write_treebank(tmp_path_factory.mktemp("trees") / "bank", train=80)


@pytest.fixture(scope="module")
def run(treebank, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "first"
    train(small_config(treebank, train={"epochs": 4}), folder, quiet=True)
    return folder


def test_vectors_come_closer_with_a_teacher_only(run, treebank, tmp_path):
    def history(name, **options):
        config = small_config(treebank, train={"epochs": 6, "seed": 1, "learning_rate": 0.03, **options})
        train(config, tmp_path / name, quiet=True)
        return [record.get("teacher") for record in RunFolder(tmp_path / name).read_history()]

    def distance(name):
        input = load_run(tmp_path / name).model.input.eval()
        vectors = input.vectors(input.features(SENTENCES)).detach()
        return float(Teacher(str(run), 32, CPU).distance(vectors, SENTENCES))

    taught = history("taught", teacher=str(run), teacher_weight=20.0)
    assert taught[-1] < 0.7 * taught[0]
    assert history("alone") == [None] * 6
    assert distance("taught") < 0.7 * distance("alone")


def test_a_bundle_teaches_as_its_run_does(run, tmp_path):
    export_run(run, tmp_path / "bundle", precision="float32")
    one, two = (Teacher(str(source), 32, CPU) for source in (run, tmp_path / "bundle"))
    e = torch.randn(10, 32)
    assert float(one.distance(e, SENTENCES)) == pytest.approx(float(two.distance(e, SENTENCES)), rel=1e-2)


def test_the_distance_is_zero_for_the_same_vectors_and_teaches_the_student_only(run):
    teacher = Teacher(str(run), 32, CPU)
    e = teacher._input.vectors(teacher._input.features(SENTENCES)).detach().requires_grad_()
    assert float(teacher.distance(e.detach(), SENTENCES)) == 0
    distance = teacher.distance(e + 1, SENTENCES)
    distance.backward()
    assert e.grad is not None
    assert e.grad.abs().sum() > 0
    assert all(parameter.grad is None for parameter in teacher._input.parameters())


def test_vectors_of_another_size(run, treebank, tmp_path):
    config = small_config(treebank, input={"words": 8}, train={"teacher": str(run)})
    with pytest.raises(ConfigError, match="has vectors of 32 numbers, but this model of 24"):
        train(config, tmp_path / "other", quiet=True)


def test_a_run_with_a_teacher_resumes_exactly(run, treebank, tmp_path):
    taught = {"teacher": str(run), "seed": 1}
    train(small_config(treebank, train={"epochs": 2, **taught}), tmp_path / "whole", quiet=True)
    train(small_config(treebank, train={"epochs": 1, **taught}), tmp_path / "parts", quiet=True)
    train(small_config(treebank, train={"epochs": 2, **taught}), tmp_path / "parts", resume=True, quiet=True)
    one, two = (read_tensors(tmp_path / name / "last.safetensors")[0] for name in ("whole", "parts"))
    assert one.keys() == two.keys()
    assert all(torch.equal(tensor, two[name]) for name, tensor in one.items())
