export interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
}

const GOOD_MS = 5_000;
const BAD_MS = 12_000;
const MOST = 4;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function add(tone: Toast["tone"], text: string): void {
  last += 1;
  const toast = { id: last, tone, text };
  set([...toasts, toast].slice(-MOST));
  setTimeout(() => dismissToast(toast.id), tone === "good" ? GOOD_MS : BAD_MS);
}

/** Shows a success message. */
export const say = (text: string): void => add("good", text);

/** Shows why something failed, with the error's own message. */
export const sayFailure = (error: unknown): void =>
  add("bad", error instanceof Error ? error.message : String(error));

export const dismissToast = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

export const currentToasts = (): readonly Toast[] => toasts;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
