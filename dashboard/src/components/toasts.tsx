import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { useStore } from "../app/store.ts";
import { IconButton } from "./icon-button.tsx";
import { dismissToast, toasts as toastStore } from "./toast-store.ts";

/** Notifications in a corner, announced politely by screen readers. */
export function Toasts() {
  const toasts = useStore(toastStore);
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const container = ref.current;
    if (container === null) return;
    // Reopening puts it above dialogs that opened since.
    if (container.matches(":popover-open")) container.hidePopover();
    if (toasts.length > 0) container.showPopover();
  }, [toasts]);

  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {toasts.at(-1)?.text}
      </div>
      <section
        ref={ref}
        popover="manual"
        aria-label="Notifications"
        className="fixed inset-auto right-4 bottom-[calc(1rem+var(--below-messages,0px))] m-0 w-88 max-w-[calc(100vw-2rem)] flex-col gap-2 overflow-visible bg-transparent p-0 text-ink open:flex"
      >
        {toasts.map(({ id, tone, text }) => (
          <div
            key={id}
            className="flex animate-rise items-start gap-2.5 rounded-lg bg-surface py-2 pr-2 pl-3.5 shadow-pop"
          >
            {tone === "good" ? (
              <CircleCheck aria-hidden className="mt-1.5 size-4 flex-none text-good" />
            ) : (
              <CircleAlert aria-hidden className="mt-1.5 size-4 flex-none text-bad" />
            )}
            <p className="min-w-0 flex-1 break-words py-1 text-sm">{text}</p>
            <IconButton label="Dismiss" Icon={X} onClick={() => dismissToast(id)} />
          </div>
        ))}
      </section>
    </>
  );
}
