/** The entry in which the dashboard notes that somebody is signed in. */
const SESSION = "holdall-session";
/** The key is kept in the storage of this tab, so it is forgotten with the tab; the server ends it after a day. */
const KEY = "holdall-docs-key";

export const isSignedIn = (): boolean => read(() => localStorage, SESSION) === "active";

/** null: there is none, or it has ended. */
export function readKey(): string | null {
  const [until, secret] = (read(() => sessionStorage, KEY) ?? "").split(" ");
  return secret !== undefined && Date.now() < Number(until) ? secret : null;
}

export function noteKey(secret: string, seconds: number): void {
  try {
    sessionStorage.setItem(KEY, `${Date.now() + seconds * 1000} ${secret}`);
  } catch {
    // It is in the examples of this page only.
  }
}

/** null: there is no entry, or the browser refuses access to the storage. */
function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name);
  } catch {
    return null;
  }
}
