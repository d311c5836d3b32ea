/** Acting on what is typed when the typing pauses, but never in the middle of composing Japanese or Chinese. */

const PAUSE = 350; // milliseconds
const pending = new WeakSet(); // fields with something that has not been acted on

/** `act(value)` when the field rests, at once with Ctrl+Enter or when it is left. */
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

/** Put a value in, unless someone is just typing another. */
export function setField(field, value) {
  if (field.value !== value && !pending.has(field)) field.value = value;
}
