"""The training loop: epochs, evaluations, checkpoints. A run that is stopped resumes exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from nccp.config import Config, config_changes
from nccp.decoding import Parser
from nccp.errors import InputError, TrainingError
from nccp.evaluation import evaluate
from nccp.model.network import Losses
from nccp.model.parsing_model import ParsingModel
from nccp.model.plan import make_plan
from nccp.scoring import score_trees
from nccp.training.checkpoints import (
    load_weights,
    pack_optimizer,
    read_tensors,
    saved_weights,
    unpack_optimizer,
    write_tensors,
)
from nccp.training.corpus import Corpus, read_corpus
from nccp.training.distributed import Team, join_team
from nccp.training.log import Log
from nccp.training.memory import keep_memory
from nccp.training.optim import Average, Guard, make_optimizer
from nccp.training.run_folder import RunFolder
from nccp.training.sampling import draw_trees, epoch_batches, explore_trees
from nccp.training.schedule import Schedule
from nccp.training.teacher import Teacher
from nccp.training.warm_start import load_start, take_weights
from nccp.trees import Gaps

_FREE = {"epochs", "minutes", "threads", "save_minutes", "stop", "cache"}  # may change on --resume


def train(config: Config, path: str | Path, *, resume: bool = False, quiet: bool = False) -> float:
    """Train as configured in the folder ``path``; the best development F1."""
    folder = RunFolder(Path(path))
    changes = _check_same(config, folder) if resume else []
    if not resume and folder.last.exists():
        raise TrainingError(
            f"{folder.path} already holds a run: continue it with --resume, or choose another folder with -o"
        )
    if config.train.threads:
        torch.set_num_threads(config.train.threads)
    keep_memory()
    with folder.explained_errors(), join_team() as team, folder.locked() if team.leads else nullcontext():
        corpus = read_corpus(config.data, unify_sub=config.model.unify_sub)
        trainer = Trainer(config, corpus, folder, team, quiet=quiet)
        if resume and folder.last.exists():
            trainer.load()
        return trainer.run(changes)


def _check_same(config: Config, folder: RunFolder) -> list[str]:
    """Make sure that only settings of the budget and the machine differ; descriptions of those that do."""
    changed = list(config_changes(folder.read_config(), config))
    for key, was, now in changed:
        if key.split(".")[-1] not in _FREE:
            raise TrainingError(
                f"cannot resume {folder.path}: {key} was {was!r} and is now {now!r}; "
                "restore it, or train in another folder"
            )
    return [f"{key} changed from {was!r} to {now!r}" for key, was, now in changed]


class Trainer:
    """A run under way."""

    def __init__(self, config: Config, corpus: Corpus, folder: RunFolder, team: Team, *, quiet: bool = False):
        self.config, self.corpus, self.folder, self.team = config, corpus, folder, team
        torch.manual_seed(config.train.seed)
        words = config.input.select_words(corpus.count_words())
        begins = not folder.last.exists()  # else all weights come from the checkpoint
        start = load_start(config.train.start) if config.train.start and begins else None
        if start is not None and words:
            words = list(dict.fromkeys([*words, *start.words]))  # keep what the start knows of other words
        elif not begins:
            words = folder.read_symbols()[1]
        self.model = ParsingModel(config, corpus.symbols, words).to(team.device)
        self.taken = take_weights(self.model, start) if start is not None else 0
        self.teacher = self._load_teacher() if config.train.teacher else None
        self.optimizer = make_optimizer(self.model, config)
        self.schedule = Schedule(config.train)
        self.average = Average(self.model, config.train.average) if config.train.average else None
        self.parallel: nn.Module = self.model
        if team.world > 1:
            self.parallel = DistributedDataParallel(self.model, find_unused_parameters=True)
        self.lengths = np.array([len(tree) for tree in corpus.train], np.int64)
        self.epoch = self.batch = self.step = 0
        self.done = self.minutes = 0.0  # epochs with the fraction, and time
        self.guard = Guard()
        self.log = Log(folder, active=team.leads, quiet=quiet)
        if team.leads:
            if begins:  # what an earlier start left that never came to a checkpoint
                folder.history.unlink(missing_ok=True)
            folder.write_config(config)
            folder.write_symbols(corpus.symbols, words)

    def _load_teacher(self) -> Teacher:
        halves = getattr(self.config.input, "precision", "") == "bfloat16"
        size = self.model.input.size
        return Teacher(self.config.train.teacher, size, self.team.device, halves=halves)

    def run(self, changes: Sequence[str] = ()) -> float:
        """Train until the schedule ends; ``changes`` of the configuration since the last start are logged."""
        self.log.start(self.config, self.corpus, self.model, self.step)
        if self.team.leads:
            for change in changes:
                self.log.say(change)
            if self.taken:
                self.log.say(f"{self.taken:,} weights initialised from {self.config.train.start}")
        self.started = self.saved = time.monotonic() - 60 * self.minutes
        while not self.schedule.over(self.done, self.minutes):
            self._epoch()
        self.log.finish(self.schedule.best, self.minutes)
        return self.schedule.best

    def _epoch(self) -> None:
        """The rest of an epoch, from the batch that comes next."""
        batches = self.epoch_batches()
        every = self.config.train.evaluate_every
        if self.batch == 0:  # else the random state came from a checkpoint
            torch.manual_seed(self.config.train.seed + 1_000_003 * (self.epoch + 1))
        bar = self.log.bar(len(batches), self.batch, self.epoch + 1)
        for batch in batches[self.batch :]:
            losses = self.train_batch(batch)
            self.batch, self.step = self.batch + 1, self.step + 1
            if self.batch == len(batches):
                self.epoch, self.batch = self.epoch + 1, 0
            before, self.done = self.done, self.epoch + self.batch / len(batches)
            self.minutes = self.team.tell((time.monotonic() - self.started) / 60)
            self.log.step(bar, losses, int(self.lengths[batch].sum()), self.step)
            over = self.schedule.over(self.done, self.minutes)
            due = over or self.done // every > before // every
            if due:
                self._evaluate()
            if due or self.batch == 0 or time.monotonic() - self.saved > 60 * self.config.train.save_minutes:
                self._save()
            if over:
                break
        bar.close()

    def epoch_batches(self) -> list[Any]:
        """The batches of the current epoch, as places of training trees."""
        weights = np.array(self.corpus.weights)
        return epoch_batches(self.lengths, weights, self.config.train, self.epoch, self.team.world)

    def train_batch(self, batch: Any) -> Tensor:
        """One step: losses, gradients, weights; the mean losses, the teacher's last."""
        config = self.config
        binary = config.model.kind == "binary"
        seed = (config.train.seed, self.epoch, self.batch)
        gold = self.corpus.draw_spelling(batch, config.data.respell, (*seed, 2))
        trees = draw_trees(gold, config.data, binary=binary, seed=(*seed, 1))
        gold, trees = (part[self.team.rank :: self.team.world] for part in (gold, trees))
        self._set_rates()
        self.model.train()
        features = self.model.input.features([tree.words for tree in gold])
        vectors = self.model.input.vectors(_to(features, self.team.device))
        e = self.model.input.dropout(vectors)
        if config.data.explore:
            known = e.detach() if self.model.input.reuses_vectors else None
            trees = self._explore(gold, trees, known, (*seed, 3))
            self.model.train()  # exploring has put it into evaluation mode
        plan = make_plan(
            trees, binary=binary, triangular=config.model.format == "triangular", device=self.team.device
        )
        losses: Losses = self.parallel(e, plan)
        weights = [config.train.tag_weight, config.train.label_weight, config.train.joint_weight]
        # the mean over all processes' nodes; DDP averages gradients, so each gives world times its part
        means = losses.sums / self.team.total(losses.counts).clamp(min=1)
        loss = (means * means.new_tensor(weights)).sum() * self.team.world
        if self.teacher:
            distance = self.teacher.distance(vectors, [tree.words for tree in gold])
            loss = loss + config.train.teacher_weight * distance
            means = torch.cat((means, distance[None] / self.team.world))
            weights.append(config.train.teacher_weight)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), config.train.clip or math.inf)
        means = self.team.total(means.detach())
        self.guard.check(float((means * means.new_tensor(weights)).sum()), float(norm), self.step)
        self.optimizer.step()
        if self.average:
            self.average.update()
        return means

    def _explore(self, gold: list[Gaps], trees: list[Gaps], e: Tensor | None, seed: Any) -> list[Gaps]:
        """A share of the trees along the model's own path, without dropout.

        Where an encoder learns, which is most of the work, it begins with the vectors ``e`` that this step
        has computed anyway.
        """
        engine = self.model.engine()
        lengths = np.array([len(tree) for tree in gold], np.int64)

        def contexts(chosen: list[int]) -> Any:
            if e is None:
                return engine.context([gold[i].words for i in chosen]).x
            rows = np.isin(np.repeat(np.arange(len(gold)), lengths), chosen)
            return engine.context_of(e, lengths).x[rows]

        return explore_trees(gold, trees, engine, contexts, self.config.data, seed=seed)

    def _set_rates(self) -> None:
        factor = self.schedule.factor(self.done, self.minutes)
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor
        self.model.input.start_epoch(self.epoch + 1)

    def _evaluate(self) -> None:
        f1 = 0.0
        with self.average.swapped() if self.average else nullcontext():
            golds = self.corpus.dev
            share = golds[self.team.rank :: self.team.world]
            done = evaluate(Parser(self.model.engine(), threads=1), share)
            trees, counts = self.team.gather(done.trees, done.counts)
            if self.team.leads:
                score = score_trees(golds, trees)
                f1 = score.f1
                if best := f1 > self.schedule.best:
                    state = {"f1": f1, "epoch": self.done, "step": self.step, "minutes": self.minutes}
                    weights = saved_weights(self.model)
                    write_tensors(self.folder.best, {f"model.{k}": v for k, v in weights.items()}, state)
                rate = self.optimizer.param_groups[0]["lr"]
                self.log.evaluation(self.done, self.step, self.minutes, score, counts, rate, best)
        self.schedule.evaluated(self.team.tell(f1))

    def _save(self) -> None:
        """Write `last.safetensors`: all that is needed to go on as if nothing had happened."""
        if self.team.leads:
            optimizer, groups = pack_optimizer(self.optimizer)
            tensors = {f"model.{name}": tensor for name, tensor in saved_weights(self.model).items()}
            tensors |= {f"optimizer.{name}": tensor for name, tensor in optimizer.items()}
            if self.average:
                tensors |= {f"average.{name}": tensor for name, tensor in self.average.shadow.items()}
            tensors["random"] = torch.get_rng_state()
            state = {
                "epoch": self.epoch,
                "batch": self.batch,
                "step": self.step,
                "done": self.done,
                "minutes": self.minutes,
                "groups": groups,
                "schedule": [self.schedule.best, self.schedule.since_best],
                "guard": self.guard.state(),
            }
            write_tensors(self.folder.last, tensors, state)
        self.saved = time.monotonic()

    def load(self) -> None:
        """Go on from `last.safetensors`."""
        tensors, state = read_tensors(self.folder.last)
        if "random" not in tensors or "groups" not in state:
            raise InputError(f"{self.folder.last}: not a checkpoint to resume from: it holds weights only")
        load_weights(self.model, tensors, str(self.folder.last))
        optimizer = {name[10:]: tensor for name, tensor in tensors.items() if name.startswith("optimizer.")}
        unpack_optimizer(self.optimizer, optimizer, state["groups"])
        if self.average:
            self.average.load(
                {n[8:]: t for n, t in tensors.items() if n.startswith("average.")}, state["step"]
            )
        self.epoch, self.batch, self.step = state["epoch"], state["batch"], state["step"]
        self.done, self.minutes = state["done"], state["minutes"]
        self.schedule.best, self.schedule.since_best = state["schedule"]
        self.guard = Guard(*state["guard"])
        torch.set_rng_state(tensors["random"])


def _to(features: Any, device: torch.device) -> Any:
    return {name: tensor.to(device) for name, tensor in features.items()}
