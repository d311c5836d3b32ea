/** The access token, for servers that require one; kept until the tab is closed. */

import { byId } from "./dom.js";

const KEY = "nccp:token";
let token = stored();
let asking = null; // so that several requests ask only once

/** Headers that carry the token, if there is one. */
export function authorization() {
  return token ? { Authorization: `Bearer ${encode(token)}` } : {};
}

/** Ask the user; false if the user declines. */
export function askForToken() {
  asking ??= new Promise((resolve) => {
    const dialog = byId("token-dialog");
    const field = byId("token");
    field.value = "";
    dialog.addEventListener(
      "close",
      () => {
        asking = null;
        if (dialog.returnValue !== "use" || !field.value) return resolve(false);
        token = field.value;
        try {
          sessionStorage.setItem(KEY, token);
        } catch {
          // not remembered
        }
        return resolve(true);
      },
      { once: true },
    );
    dialog.returnValue = "";
    dialog.showModal();
  });
  return asking;
}

/** As UTF-8: headers hold bytes, not characters. */
function encode(text) {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function stored() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
