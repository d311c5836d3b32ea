"""Trees in the API: reading those that clients send, and listing the nodes and layers of any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from nccp.decoding import Branching
from nccp.decoding.nodes import walk
from nccp.decoding.trace import LayerNode, Trace
from nccp.errors import BracketError, InputError
from nccp.scoring.flat import flatten
from nccp.treebanks.cleaning import Cleaning, clean
from nccp.trees import Tree, TreeReader, format_tree, parse_tree, to_gaps
from nccp.trees.draw import layer_grid
from nccp.trees.layer_grid import Cell
from nccp.web import responses
from nccp.web.batching import Result
from nccp.web.guard import Limits, Refused, hold_words

# ---- trees that clients send


class Item(NamedTuple):
    """A tree as it is scored (without empty elements, function tags and root), or why it cannot be used."""

    tree: Tree | None
    error: str = ""


def read_items(text: str, limits: Limits, flat: tuple[str, ...] = ()) -> Iterator[Item]:
    """The trees of a text, in order, with an error in the place of each tree that cannot be used.

    ``flat``: labels to remove, such as those that the model to compare with never gives.
    """
    reader, known = TreeReader([text], skip_bad=True, longest=limits.tree), 0
    cleaning = Cleaning(flatten=flat)
    try:
        for tree in reader:
            yield from map(_unreadable, reader.errors[known:])
            known = len(reader.errors)
            yield _check(tree, reader.line, limits, cleaning)
    except InputError as error:  # such as a NUL: not a text file
        raise Refused(422, str(error).removeprefix("<text>:") + ".") from None
    yield from map(_unreadable, reader.errors[known:])


def read_all(text: str, limits: Limits, what: str, flat: tuple[str, ...] = ()) -> list[Tree]:
    """The trees of a text; the first that cannot be used is an error."""
    trees: list[Tree] = []
    for item in read_items(text, limits, flat):
        if item.tree is None:
            raise Refused(422, f"{what}: {item.error}.")
        trees.append(item.tree)
        if len(trees) > limits.sentences:
            raise Refused(413, f"{what} has more than {limits.sentences:,} trees.")
    if not trees:
        raise Refused(422, f"{what} has no tree.")
    return trees


def read_one(text: str, limits: Limits) -> Tree:
    """The only tree of a text, as it is."""
    _refuse_beyond(len(text), limits.tree, "characters")
    tree = parse_tree(text)
    _refuse_beyond(tree.height(), limits.depth, "levels")
    _refuse_beyond(len(tree.leaves()), limits.words, "words")
    return tree


def _refuse_beyond(count: int, most: int, what: str) -> None:
    if count > most:
        raise Refused(413, f"The tree has {count:,} {what}; the limit is {most:,}.")


def _unreadable(error: BracketError) -> Item:
    return Item(None, f"line {error.line}: {error.what}")


def _check(tree: Tree, line: int, limits: Limits, cleaning: Cleaning) -> Item:
    if tree.height() > limits.depth:
        return Item(None, f"line {line}: the tree is more than {limits.depth:,} levels deep")
    cleaned = clean(tree, cleaning)
    if cleaned is None:
        return Item(None, f"line {line}: the tree has no words")
    try:
        words = flatten(cleaned).words
    except InputError as error:
        return Item(None, f"line {line}: {error}")
    counts = ((len(words), limits.words, "words"), (sum(map(len, words)), limits.letters, "characters"))
    for count, most, what in counts:
        if count > most:
            return Item(None, f"line {line}: the tree has {count:,} {what}; the limit is {most:,}")
    hold_words(len(words))
    return Item(cleaned) if words else Item(None, f"line {line}: the tree has no words")


# ---- parses and trees as values of the API


def parsed_sentence(result: Result) -> responses.ParsedSentence:
    """A parse, with its layers if it has them."""
    parse = result.parse if isinstance(result, Trace) else result
    weights = parse.weights
    return responses.ParsedSentence(
        words=list(parse.words),
        tags=parse.tags,
        tree=parse.brackets(),
        nodes=[] if parse.tree is None else list_nodes(parse.tree, weights),
        offsets=None if parse.offsets is None else list(parse.offsets),
        spans=[
            responses.Span(
                label=span.label,
                start=span.start,
                end=span.end,
                score=_short(span.score),
                start_char=span.start_char,
                end_char=span.end_char,
            )
            for span in parse.spans
        ],
        weights=None if weights is None else list(map(_branching, weights)),
        score=_short(parse.score),
        joined=parse.joined,
        layers=_layers(result) if isinstance(result, Trace) else None,
    )


def sent_tree(tree: Tree) -> responses.ParsedSentence:
    """A tree that a client sent."""
    return responses.ParsedSentence(
        words=tree.leaves(), tags=tree.tags(), tree=format_tree(tree), nodes=list_nodes(tree)
    )


def list_nodes(tree: Tree, weights: Sequence[Branching] | None = None) -> list[responses.Node]:
    """All nodes, parents before children; ``weights`` are those of the branching nodes, in the same order."""
    nodes: list[responses.Node] = []
    parents: dict[int, int] = {}
    shares = {} if weights is None else _shares(tree, weights)
    for place, (node, start, end) in enumerate(walk(tree)):
        leaf = node.is_preterminal
        made = responses.Node(label=node.label(), start=start, end=end, parent=parents.get(id(node)))
        made.word = node[0] if leaf else None
        made.score = _short(node.score)
        if (share := shares.get(id(node))) is not None:
            made.weight, made.head = round(share[0], 6), share[1] or None
        nodes.append(made)
        if not leaf:
            parents.update((id(child), place) for child in node)
    return nodes


def _shares(tree: Tree, weights: Sequence[Branching]) -> dict[int, tuple[float, bool]]:
    """For each child of a branching node, its weight and whether it is the head."""
    found: dict[int, tuple[float, bool]] = {}
    branching = (node for node in tree.subtrees() if len(node) > 1)
    for node, one in zip(branching, weights):
        head = max(range(len(node)), key=one.weights.__getitem__)
        found.update((id(child), (one.weights[i], i == head)) for i, child in enumerate(node))
    return found


def _branching(one: Branching) -> responses.Branching:
    weights = [round(weight, 6) for weight in one.weights]
    return responses.Branching(label=one.label, start=one.start, end=one.end, weights=weights)


def _layers(trace: Trace) -> list[responses.Layer]:
    return [responses.Layer(nodes=list(map(_layer_node, layer))) for layer in trace.layers]


def _layer_node(node: LayerNode) -> responses.LayerNode:
    return responses.LayerNode(
        label=node.label,
        start=node.start,
        end=node.end,
        score=round(node.score, 6),
        how=node.how,
        children=list(node.children),
        right=node.right,
        begins=node.begins,
        sure=_short(node.sure),
        lam=_short(node.lam),
        weights=None if node.weights is None else [round(weight, 6) for weight in node.weights],
    )


def tree_layers(tree: Tree, form: str) -> responses.LayersResponse:
    """The layers of a tree in one of the forms of `layer_grid`."""
    grid = layer_grid(to_gaps(tree), form)
    top = len(grid.layers) - 1
    chunks = form in ("multi", "group")
    layers = []
    for number, cells in enumerate(grid.layers):
        nodes = [
            responses.LayerNode(
                label=cell.label,
                start=cell.start,
                end=cell.end,
                how=_origin(cell, number),
                children=list(cell.children),
                right=cell.points == "right" if cell.points else None,
                begins=cell.opens if chunks and number < top else None,
            )
            for cell in cells
        ]
        layers.append(responses.Layer(nodes=nodes))
    return responses.LayersResponse(words=list(grid.words), layers=layers, triangle=grid.is_triangle)


def _origin(cell: Cell, layer: int) -> Literal["word", "relay", "combined", "empty"]:
    if layer == 0:
        return "word"
    if cell.kind == "empty":
        return "empty"
    return "relay" if len(cell.children) == 1 else "combined"


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
