import { createStore } from "../app/store.ts";
import { addUndo, removeUndo } from "./undo-store.ts";

/** A button in a toast. */
export interface ToastAction {
  readonly label: string;
  /** Whether it undoes what the toast says. Then it also reacts to Ctrl+Z, or Cmd+Z on a Mac. */
  readonly undoes: boolean;
  /** How long it is offered. */
  readonly ms?: number;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  readonly action?: ToastAction | undefined;
}

const SUCCESS_MS = 5_000;
const ERROR_MS = 12_000;
/** Long enough to notice a mistake, and to reach the button by keyboard. */
const ACTION_MS = 20_000;
const MAX_TOASTS = 4;

export const toasts = createStore<readonly Toast[]>([]);

let lastId = 0;
let isKept = false;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

function add(tone: Toast["tone"], text: string, action?: ToastAction): void {
  lastId += 1;
  const toast = { id: lastId, tone, text, action };
  keepOnly([...toasts.get(), toast].slice(-MAX_TOASTS));
  if (action?.undoes) addUndo(undoId(toast.id), () => runToastAction(toast));
  if (!isKept) startTimers();
}

/** Keeps only these toasts. The undo that a toast offers goes with the toast. */
function keepOnly(kept: readonly Toast[]): void {
  for (const toast of toasts.get()) if (!kept.includes(toast)) removeUndo(undoId(toast.id));
  toasts.set(kept);
}

const undoId = (id: number): string => `toast ${id}`;

/** Shows a success message, with a button if an action is given. */
export const showToast = (text: string, action?: ToastAction): void => add("good", text, action);

/** Shows why something failed, with the error's own message. */
export const showErrorToast = (error: unknown): void =>
  add("bad", error instanceof Error ? error.message : String(error));

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  keepOnly(toasts.get().filter((toast) => toast.id !== id));
}

/** Dismisses the toast and runs its action. */
export function runToastAction({ id, action }: Toast): void {
  dismissToast(id);
  action?.run();
}

/** Keeps all toasts, while the pointer or the focus is on one. */
export function keepToasts(): void {
  isKept = true;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

/** Dismisses each toast after its time, which starts again after `keepToasts`. */
export function startTimers(): void {
  isKept = false;
  for (const { id, tone, action } of toasts.get()) {
    if (timers.has(id)) continue;
    const ms =
      action !== undefined ? (action.ms ?? ACTION_MS) : tone === "good" ? SUCCESS_MS : ERROR_MS;
    timers.set(
      id,
      setTimeout(() => dismissToast(id), ms),
    );
  }
}
