import { fillKey } from "./fill-examples.ts";

/** The key is kept in the storage of this tab, so it is forgotten with the tab; the server ends it after a day. */
const KEY = "holdall-docs-key";
const SECONDS = 24 * 3600;
/** The entry in which the dashboard notes that somebody is signed in. */
const SESSION = "holdall-session";

/** Signed-in readers can have a key in the examples, which works for a day. Nothing is created without a click. */
export function startKeyBar(site: URL): void {
  const main = document.querySelector("main");
  const isSignedIn = read(localStorage, SESSION) === "active";
  const hasExamples = /hd_…|\$HOLDALL_KEY/.test(main?.textContent ?? "");
  if (main === null || !hasExamples) return;
  const known = readKey();
  if (known !== null) fillKey(known);
  if (!isSignedIn || known !== null) return;

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
      noteKey(secret);
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

function read(storage: Storage, name: string): string | null {
  try {
    return storage.getItem(name);
  } catch {
    return null;
  }
}

/** null: there is none, or it has ended. */
function readKey(): string | null {
  const [until, secret] = (read(sessionStorage, KEY) ?? "").split(" ");
  return secret !== undefined && Date.now() < Number(until) ? secret : null;
}

function noteKey(secret: string): void {
  try {
    sessionStorage.setItem(KEY, `${Date.now() + SECONDS * 1000} ${secret}`);
  } catch {
    // It is in the examples of this page only.
  }
}
