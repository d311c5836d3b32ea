import js from "@eslint/js";
import globals from "globals";

/** What turns text into markup or code. The page builds elements (dom.js) and never strings of HTML. */
const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe"].map((property) => ({
  property,
  message: "Build elements with dom.js: text must never become markup.",
}));

export default [
  {
    ...js.configs.recommended,
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      ...js.configs.recommended.rules,
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-syntax": [
        "error",
        ...MARKUP.map(({ property, message }) => ({ selector: `MemberExpression[property.name='${property}']`, message })),
      ],
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
];
