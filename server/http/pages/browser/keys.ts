import type { ApiKeyObject } from "../../../../contract/types.ts";
import { copyOf, one, onPress, onSend, show } from "./dom.ts";
import { ask } from "./server.ts";

interface Made {
  key: ApiKeyObject;
  secret: string;
}

/** The list of API keys, with what makes and revokes them. */
export async function showKeys(email: string, signedOut: () => void): Promise<void> {
  const { keys } = await ask<{ keys: ApiKeyObject[] }>("GET", "api/keys");
  const view = show("keys", { email });
  const list = one(view, '[data-place="list"]');
  const none = one(view, '[data-place="none"]');
  const refresh = () => {
    none.hidden = list.childElementCount > 0;
  };

  const add = (key: ApiKeyObject) => {
    const item = keyItem(key, () => {
      item.remove();
      refresh();
    });
    list.prepend(item);
    refresh();
  };
  for (const key of keys.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))) {
    add(key);
  }
  refresh();

  onSend(view, async ({ name }) => {
    const made = await ask<Made>("POST", "api/keys", { name });
    showMade(made);
    add(made.key);
    const form = one(view, "form");
    if (form instanceof HTMLFormElement) form.reset();
  });
  onPress(view, "sign-out", async () => {
    await ask("POST", "auth/sign-out");
    signedOut();
  });
}

/** Makes the first key and shows it among the keys. */
export async function makeFirstKey(): Promise<Made> {
  return ask<Made>("POST", "api/keys", { name: "First key" });
}

/** Shows a key that has just been made, this once, and how to use it. */
export function showMade({ secret }: Made): void {
  const base = new URL(".", location.href).href.replace(/\/$/, "");
  const lines = [
    `curl ${base}/api/files \\`,
    `  -H "API-Key: ${secret}" \\`,
    "  -F files=@photo.jpg",
    "",
    `curl ${base}/api/hosting/photo.jpg -o copy.jpg`,
  ].join("\n");
  const made = copyOf("made", { secret, lines });
  const place = one(document, '[data-place="made"]');
  place.replaceChildren(made);
  const button = one(place, '[data-do="copy"]');
  onPress(place, "copy", async () => {
    button.textContent = (await copyToClipboard(secret)) ? "Copied" : "Select the key and copy it";
  });
  one(place, "h2").focus();
}

function keyItem(key: ApiKeyObject, revoked: () => void): HTMLElement {
  const used = key.lastUsedAt === null ? "never used" : `last used ${key.lastUsedAt} UTC`;
  const expires = key.expiresAt === null ? "" : `, expires ${key.expiresAt} UTC`;
  const item = one(
    copyOf("key", { name: key.name, prefix: `${key.prefix}…`, used: used + expires }),
    "li",
  );
  const button = one(item, '[data-do="revoke"]');
  button.setAttribute("aria-label", `Revoke ${key.name}`);
  button.addEventListener("blur", () => {
    delete button.dataset.sure;
    button.textContent = "Revoke";
  });
  onPress(item, "revoke", async () => {
    if (button.dataset.sure === undefined) {
      button.dataset.sure = "";
      button.textContent = "Revoke for good?";
      return;
    }
    await ask("DELETE", "api/keys", { id: key.id }).then(revoked, (error: unknown) => {
      button.textContent = error instanceof Error ? error.message : String(error);
    });
  });
  return item;
}

/** Whether it worked: browsers keep the clipboard from pages without https, save on this machine. */
async function copyToClipboard(text: string): Promise<boolean> {
  return (
    navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    ) ?? false
  );
}
