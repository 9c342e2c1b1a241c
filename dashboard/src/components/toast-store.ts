export interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
}

const SUCCESS_MS = 5_000;
const ERROR_MS = 12_000;
const MAX_TOASTS = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function add(tone: Toast["tone"], text: string): void {
  lastId += 1;
  const toast = { id: lastId, tone, text };
  set([...toasts, toast].slice(-MAX_TOASTS));
  setTimeout(() => dismissToast(toast.id), tone === "good" ? SUCCESS_MS : ERROR_MS);
}

/** Shows a success message. */
export const showToast = (text: string): void => add("good", text);

/** Shows why something failed, with the error's own message. */
export const showErrorToast = (error: unknown): void =>
  add("bad", error instanceof Error ? error.message : String(error));

export const dismissToast = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

export const currentToasts = (): readonly Toast[] => toasts;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
