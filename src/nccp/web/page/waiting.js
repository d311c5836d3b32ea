/** Fields that act when the typing pauses, but never while Japanese or Chinese is being composed, and that grow. */

const PAUSE = 350; // milliseconds
const pending = new WeakSet(); // fields with something that has not been acted on

/** `act(value)` when the typing pauses; at once with Ctrl+Enter or when the field loses the focus. */
export function whenTyped(field, act) {
  let timer = 0;
  let last = null;
  const now = () => {
    clearTimeout(timer);
    timer = 0;
    pending.delete(field);
    if (field.value !== last) act((last = field.value));
  };
  const later = () => {
    clearTimeout(timer);
    last = null;
    timer = setTimeout(now, PAUSE);
  };
  field.addEventListener("input", (event) => {
    grow(field);
    pending.add(field);
    if (event.isComposing) clearTimeout(timer);
    else later();
  });
  field.addEventListener("compositionend", later);
  field.addEventListener("change", () => timer && now());
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    last = null;
    now();
  });
}

/** Set a value, unless the user is typing another. */
export function setField(field, value) {
  if (field.value === value || pending.has(field)) return;
  field.value = value;
  requestAnimationFrame(() => grow(field)); // once it is visible
}

/** As high as its text, within what the style allows. */
function grow(field) {
  if (!field.clientHeight) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}
