/** Light, dark, or the system's colours; loaded before the page is painted. */

const KEY = "nccp:theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const system = matchMedia("(prefers-color-scheme: dark)");

let chosen = stored();
apply();
system.addEventListener("change", apply);

/** Make a button switch between the three. */
export function themeSwitch(button) {
  const show = () => {
    button.textContent = SIGNS[chosen];
    const name = `Colours: ${chosen === "auto" ? "as the system" : chosen}`;
    button.setAttribute("aria-label", name);
    button.title = name;
  };
  button.addEventListener("click", () => {
    chosen = NEXT[chosen];
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // not remembered
    }
    apply();
    show();
  });
  show();
}

function apply() {
  const dark = chosen === "dark" || (chosen === "auto" && system.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function stored() {
  try {
    const value = localStorage.getItem(KEY);
    return value in NEXT ? value : "auto";
  } catch {
    return "auto";
  }
}
