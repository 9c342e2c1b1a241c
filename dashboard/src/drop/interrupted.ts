/** The work that a page left which was closed while it sent files. */
export interface Interrupted {
  readonly name: string;
  readonly files: number;
  readonly message: string;
}

const key = (): string => `holdall-drop:${location.pathname}`;

/** undefined: nothing was interrupted, or the browser denies access to storage. */
export function readInterrupted(): Interrupted | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key()) ?? "null");
    if (typeof value !== "object" || value === null) return undefined;
    if (!("name" in value && "files" in value)) return undefined;
    const { name, files } = value;
    const message = "message" in value && typeof value.message === "string" ? value.message : "";
    return typeof name === "string" && typeof files === "number"
      ? { name, files, message }
      : undefined;
  } catch {
    return undefined;
  }
}

/** undefined: everything was sent. */
export function noteInterrupted(interrupted: Interrupted | undefined): void {
  try {
    if (interrupted === undefined) localStorage.removeItem(key());
    else localStorage.setItem(key(), JSON.stringify(interrupted));
  } catch {
    // Without storage, an interrupted upload starts again.
  }
}
