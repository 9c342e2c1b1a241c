import { readStored, removeStored, writeStored } from "./local-storage.ts";

const STORAGE_KEY = "holdall-session";

/**
 * What this browser knows of its session without asking, because scripts cannot read the cookie. active:
 * there was one. ended: the server has refused it since. none: nobody has signed in, or has signed out.
 */
export type SessionState = "active" | "ended" | "none";

export function sessionState(): SessionState {
  const stored = readStored(STORAGE_KEY);
  return stored === "active" || stored === "ended" ? stored : "none";
}

export function setSessionState(state: SessionState): void {
  if (state === "none") removeStored(STORAGE_KEY);
  else writeStored(STORAGE_KEY, state);
}
