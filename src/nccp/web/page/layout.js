/**
 * Where each node of a tree goes, as in nccp/trees/layout.py:
 *
 *   row 2          S           every subtree has a strip of its own, strips stand side by side: nothing can
 *              ┌───┴───┐       overlap. A node sits one row above its highest child, so that all tags stand
 *   row 1      NP      │       in row 0, right above their words, and the sentence reads along the bottom.
 *            ┌─┴─┐     │
 *   row 0   DT  NN    VBZ      A folded node stands in row 1, its words below a triangle.
 *           the dog  barks
 */

/**
 * The boxes of a tree in their places, parents before children.
 *
 * `measure(text, kind)` gives a width, kind being "phrase", "tag" or "word"; `label(node)` gives the text of a node;
 * `folded` is the set of folded nodes.
 */
export function layOut(root, { folded, measure, label, wordsOf, gap }) {
  const boxes = flatten(root, folded, label, wordsOf);
  for (const box of boxes.toReversed()) {
    const kind = box.children.length || box.folded ? "phrase" : "tag";
    const width = measure(box.label, kind);
    if (box.children.length) widen(box, width, gap);
    else {
      box.width = Math.max(width, measure(box.word, "word"));
      box.center = box.width / 2;
      box.row = box.folded ? 1 : 0;
    }
  }
  for (const box of boxes) {
    let edge = box.left + box.inset;
    for (const child of box.children) {
      child.left = edge;
      edge += child.width + gap;
    }
    box.center += box.left;
  }
  return boxes;
}

/** Without recursion: right-branching trees are deep. */
function flatten(root, folded, label, wordsOf) {
  const boxes = [];
  const stack = [[root, null]];
  while (stack.length) {
    const [node, parent] = stack.pop();
    const box = {
      node, parent, children: [], label: label(node), word: node.word ?? "", folded: folded.has(node),
      level: parent ? parent.level + 1 : 1, row: 0, left: 0, width: 0, inset: 0, center: 0,
    };
    parent?.children.push(box);
    boxes.push(box);
    if (box.folded) box.word = wordsOf(node);
    else for (const child of node.children.toReversed()) stack.push([child, box]);
  }
  return boxes;
}

/** As wide as the children, and wider on the side where the label would stick out. */
function widen(box, label, gap) {
  const [first, last] = [box.children[0], box.children.at(-1)];
  const inner = box.children.reduce((sum, child) => sum + child.width, gap * (box.children.length - 1));
  const middle = (first.center + inner - last.width + last.center) / 2;
  box.inset = Math.max(0, label / 2 - middle);
  box.width = box.inset + Math.max(inner, middle + label / 2);
  box.center = box.inset + middle;
  box.row = 1 + Math.max(...box.children.map((child) => child.row));
}
