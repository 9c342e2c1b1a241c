import { readStored, removeStored, writeStored } from "../local-storage.ts";
import { createStore } from "../store.ts";

const STORAGE_KEY = "holdall-session";

const sessionOfPage = document.querySelector<HTMLMetaElement>('meta[name="holdall-session"]');
/** The page was requested without a session cookie, and nobody has signed in or out since. */
let isWithoutSession = sessionOfPage?.content === "none";

/**
 * The state of the session that this browser knows without asking, because scripts cannot read the cookie. active:
 * there was one. ended: the server has refused it since. none: nobody has signed in, or has signed out.
 */
export type SessionState = "active" | "ended" | "none";

export function sessionState(): SessionState {
  const stored = readStored(STORAGE_KEY);
  // Not stored, so that a reload asks the server again: another tab may have signed in since.
  if (stored === "active" && isWithoutSession) return "ended";
  return stored === "active" || stored === "ended" ? stored : "none";
}

export function setSessionState(state: SessionState): void {
  isWithoutSession = false;
  if (state === "none") removeStored(STORAGE_KEY);
  else writeStored(STORAGE_KEY, state);
  signedOutStore.set(state !== "active");
}

/**
 * Calls the listener after another tab, which shares the cookie, has signed in or out, or was refused. A
 * refusal of another tab changes nothing here: the listener has to ask the server.
 */
export function onOtherTab(listener: (state: SessionState) => void): void {
  // Only other tabs receive this event.
  window.addEventListener("storage", ({ key }) => {
    if (key !== STORAGE_KEY) return;
    isWithoutSession = false;
    const state = sessionState();
    if (state !== "ended") signedOutStore.set(state === "none");
    listener(state);
  });
}

/** The server has refused the session. */
export function noteRefusal(): void {
  if (sessionState() === "active") setSessionState("ended");
  else signedOutStore.set(true);
}

/**
 * Whether only the sign-in page works: requests of other pages would be refused, which browsers report as
 * errors. false: there is a session, or it is not known yet.
 */
export const signedOutStore = createStore(isWithoutSession);
