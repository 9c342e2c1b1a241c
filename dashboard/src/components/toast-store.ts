import { createStore } from "../app/store.ts";

export interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
}

const SUCCESS_MS = 5_000;
const ERROR_MS = 12_000;
const MAX_TOASTS = 4;

export const toasts = createStore<readonly Toast[]>([]);

let lastId = 0;

function add(tone: Toast["tone"], text: string): void {
  lastId += 1;
  const toast = { id: lastId, tone, text };
  toasts.set([...toasts.get(), toast].slice(-MAX_TOASTS));
  setTimeout(() => dismissToast(toast.id), tone === "good" ? SUCCESS_MS : ERROR_MS);
}

/** Shows a success message. */
export const showToast = (text: string): void => add("good", text);

/** Shows why something failed, with the error's own message. */
export const showErrorToast = (error: unknown): void =>
  add("bad", error instanceof Error ? error.message : String(error));

export const dismissToast = (id: number): void =>
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
