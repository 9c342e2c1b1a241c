import { fillKey } from "./fill-examples.ts";
import { isSignedIn, noteKey, readKey } from "./session.ts";

const SECONDS = 24 * 3600;

/** Signed-in readers can have a key in the examples, which works for a day. Nothing is created without a click. */
export function startKeyBar(site: URL): void {
  const main = document.querySelector("main");
  const hasExamples = /hd_…|\$HOLDALL_KEY/.test(main?.textContent ?? "");
  if (main === null || !hasExamples) return;
  const known = readKey();
  if (known !== null) fillKey(known);
  if (!isSignedIn() || known !== null) return;

  const bar = document.createElement("p");
  bar.className = "key-bar";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Use a new API key in the examples";
  const note = document.createElement("span");
  note.setAttribute("role", "status");
  note.textContent = "It can list, read and write, and ends in 24 hours.";
  bar.append(button, note);
  main.querySelector("h1")?.after(bar);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { createKey } = await import("./create-key.ts");
      const secret = await createKey(site.href.replace(/\/$/, ""), SECONDS);
      noteKey(secret, SECONDS);
      fillKey(secret);
      button.remove();
      note.textContent =
        "The examples on this page have your new key, for 24 hours. Revoke it under API keys.";
    } catch (error) {
      button.disabled = false;
      note.textContent = error instanceof Error ? error.message : "The key could not be created.";
    }
  });
}
