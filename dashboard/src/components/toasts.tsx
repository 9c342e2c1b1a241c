import { CircleAlert, CircleCheck, X } from "lucide-react";
import { type FocusEvent, useEffect, useId, useLayoutEffect, useRef } from "react";
import { createStore, useStore } from "../app/store.ts";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import {
  dismissToast,
  keepToasts,
  runToastAction,
  startTimers,
  type Toast,
  toasts as toastStore,
} from "./toast-store.ts";
import { useUndoKey } from "./use-undo-key.ts";

/* The places that can show toasts. Everything outside a modal dialog is inert, so the latest shows them. */
const places = createStore<readonly string[]>([]);

/** Notifications in a corner, announced politely by screen readers. Also rendered inside long-lived dialogs. */
export function Toasts() {
  const id = useId();
  const current = useStore(places).at(-1);
  useEffect(() => {
    places.set([...places.get(), id]);
    return () => places.set(places.get().filter((place) => place !== id));
  }, [id]);
  return current === id ? <ToastList /> : null;
}

function ToastList() {
  const toasts = useStore(toastStore);
  const ref = useRef<HTMLElement>(null);
  /** Has the focus again when the focused toast is gone. */
  const before = useRef<Element | null>(null);
  useUndoKey();
  useLayoutEffect(() => {
    const container = ref.current;
    if (container === null) return;
    // Reopening puts it above dialogs that opened since.
    const hadFocus = container.contains(document.activeElement);
    if (!hadFocus && container.matches(":popover-open")) container.hidePopover();
    if (toasts.length > 0 && !container.matches(":popover-open")) container.showPopover();
    if (toasts.length === 0) {
      if (container.matches(":popover-open")) container.hidePopover();
      startTimers();
    }
  }, [toasts]);

  const close = (run: () => void) => {
    const hadFocus = ref.current?.contains(document.activeElement) === true;
    run();
    if (hadFocus && toastStore.get().length === 0) returnFocus(before.current);
  };
  const latest = toasts.at(-1);

  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {latest?.text}
        {latest?.action?.undoes && ` ${latest.action.label}: ${UNDO_KEYS}.`}
      </div>
      <section
        ref={ref}
        popover="manual"
        aria-label="Notifications"
        onPointerEnter={keepToasts}
        onPointerLeave={startTimers}
        onFocus={({ relatedTarget }: FocusEvent) => {
          keepToasts();
          if (!ref.current?.contains(relatedTarget)) before.current = relatedTarget;
        }}
        onBlur={startTimers}
        className="fixed inset-auto right-4 bottom-[calc(1rem+var(--below-messages,0px))] m-0 w-88 max-w-[calc(100vw-2rem)] flex-col gap-2 overflow-visible bg-transparent p-0 text-ink open:flex"
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} close={close} />
        ))}
      </section>
    </>
  );
}

interface ToastCardProps {
  readonly toast: Toast;
  /** Runs what removes the toast. */
  readonly close: (run: () => void) => void;
}

function ToastCard({ toast, close }: ToastCardProps) {
  const { id, tone, text, action } = toast;
  return (
    <div className="flex animate-rise items-start gap-2.5 rounded-lg bg-surface py-2 pr-2 pl-3.5 shadow-pop">
      {tone === "good" ? (
        <CircleCheck aria-hidden className="mt-1.5 size-4 flex-none text-good" />
      ) : (
        <CircleAlert aria-hidden className="mt-1.5 size-4 flex-none text-bad" />
      )}
      <p className="min-w-0 flex-1 break-words py-1 text-sm">{text}</p>
      {action && (
        <Button
          size="sm"
          variant="quiet"
          data-tooltip={action.undoes ? UNDO_KEYS : undefined}
          aria-keyshortcuts={action.undoes ? "Control+Z Meta+Z" : undefined}
          className="text-accent!"
          onClick={() => close(() => runToastAction(toast))}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" Icon={X} onClick={() => close(() => dismissToast(id))} />
    </div>
  );
}

const UNDO_KEYS = navigator.platform.startsWith("Mac") ? "⌘Z" : "Ctrl+Z";

function returnFocus(to: Element | null): void {
  const target = to?.isConnected ? to : document.getElementById("content");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
