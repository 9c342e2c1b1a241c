import type { AccountObject } from "../../../../contract/types.ts";
import { copyOf, one, onPress, onSend, show } from "./dom.ts";
import { makeFirstKey, showKeys, showMade } from "./keys.ts";
import { ask, Refusal } from "./server.ts";

interface Signed {
  account: AccountObject;
}

/** Decides what to show from the address and from what the server knows. */
async function start(): Promise<void> {
  const atSetup = location.pathname.endsWith("/setup");
  const token = atSetup ? location.hash.slice(1) : "";
  const { needed } = await ask<{ needed: boolean }>("GET", "auth/setup");
  if (needed) {
    if (token !== "") showSetup(token);
    else show(atSetup ? "dead-link" : "waiting");
    return;
  }
  const email = await signedInEmail();
  if (email !== undefined) await showKeys(email, showSignIn);
  else if (atSetup) fillSignIn(show("set-up"));
  else showSignIn();
}

async function signedInEmail(): Promise<string | undefined> {
  try {
    return (await ask<Signed>("GET", "auth/session")).account.email;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return undefined;
    throw error;
  }
}

function showSetup(token: string): void {
  onSend(show("setup"), async ({ email, password }) => {
    try {
      const { account } = await ask<Signed>("POST", "auth/setup", { token, email, password });
      // The token is spent: nothing is gained by keeping it in the history.
      history.replaceState(null, "", "sign-in");
      const made = await makeFirstKey().catch(() => undefined);
      await showKeys(account.email, showSignIn);
      if (made !== undefined) showMade(made);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) show("dead-link");
      else if (error instanceof Refusal && error.status === 409) fillSignIn(show("set-up"));
      else throw error;
    }
  });
}

function showSignIn(): void {
  fillSignIn(show("sign-in"));
}

function fillSignIn(view: HTMLElement): void {
  const place = one(view, '[data-place="sign-in"]');
  place.replaceChildren(copyOf("sign-in-form"));
  one(place, "input").focus();
  onSend(place, async ({ email, password }) => {
    const { account } = await ask<Signed>("POST", "auth/sign-in", { email, password });
    await showKeys(account.email, showSignIn);
  });
}

async function run(): Promise<void> {
  try {
    await start();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    onPress(show("unreachable", { message }), "again", run);
  }
}

window.addEventListener("hashchange", () => void run());
await run();
