/** Trees for papers, as nccp/trees/draw_latex.py writes them: LaTeX with the forest or the qtree package. */

const SPECIAL = {
  "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}",
  ">": "\\textgreater{}", "|": "\\textbar{}", '"': "\\symbol{34}",
  "-": "-{}", "?": "?{}", "!": "!{}", ",": ",{}", // "--" shall not become a dash; and so on
};
const SPECIALS = /[{}$&#%_\\~^<>|"]|-(?=-)|[?!](?=`)|,(?=,)/g;
const STYLES = {
  forest: {
    head: "% \\usepackage{forest}\n\\begin{forest}\nfor tree={inner sep=2pt, l sep=10pt, s sep=6pt}\n",
    tail: "\n\\end{forest}\n", open: "[", close: "]", plain: /^[\p{L}\p{N}_$+-]+$/u, word: (text) => ` [${text}]`,
  },
  qtree: {
    head: "% \\usepackage{tikz-qtree}  % plain qtree loses trees with more than five children\n\\Tree ",
    tail: "\n", open: "[.", close: " ]", plain: /^[^\s[\].{}\\]+$/, word: (text) => ` ${text}`,
  },
};

/** `root` as the server's `nodes`; style "forest" or "qtree". */
export function latex(root, style) {
  const { head, tail, open, close, plain, word } = STYLES[style];
  const braced = (text) => {
    const escaped = text.replace(SPECIALS, (letter) => SPECIAL[letter] ?? `\\${letter}`);
    return plain.test(escaped) ? escaped : `{${escaped}}`;
  };
  let made = head;
  const stack = [[root, 0]];
  while (stack.length) {
    const [node, level] = stack.pop();
    if (node === null) {
      made += close;
      continue;
    }
    made += (level ? `\n${"  ".repeat(Math.min(level, 40))}` : "") + open + braced(node.label);
    if (node.word !== undefined) made += word(braced(node.word)) + close;
    else {
      stack.push([null, 0]);
      for (const child of node.children.toReversed()) stack.push([child, level + 1]);
    }
  }
  return made + tail;
}
