import { one } from "./dom.ts";
import { ask } from "./server.ts";

const base = new URL(".", location.href).href.replace(/\/$/, "");
for (const place of document.querySelectorAll("[data-base]")) place.textContent = base;

const state = one(document, "#state");

try {
  const { message } = await ask<{ message: string }>("GET", "api/health");
  state.textContent = message;
  state.classList.add("good");
  const { needed } = await ask<{ needed: boolean }>("GET", "auth/setup");
  one(document, "#setup-needed").hidden = !needed;
} catch (error) {
  state.textContent = error instanceof Error ? error.message : String(error);
  state.classList.add("bad");
}
state.hidden = false;
