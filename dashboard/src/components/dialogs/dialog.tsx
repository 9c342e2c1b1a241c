import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { IconButton } from "../icon-button.tsx";

export interface DialogProps {
  readonly title: ReactNode;
  /** Called on Escape, the close button or a click beside the dialog. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, with the confirming one last. */
  readonly footer?: ReactNode;
  /** Makes the dialog a form that Enter submits. */
  readonly onSubmit?: (() => void) | undefined;
  readonly wide?: boolean;
  /** Only buttons close it: it shows what cannot be shown again. */
  readonly isPersistent?: boolean;
}

/**
 * A modal dialog, open for as long as it is rendered. The browser traps the focus and restores it
 * afterwards. Initially the first field has the focus, or the first button of the footer, which
 * should be the safe one. It is a child of the body: in a part of the page that Back hides, it would
 * be invisible, and still block the page.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, footer, onSubmit, wide, isPersistent = false } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser would focus the close button, which comes first.
    const first =
      dialog?.querySelector<HTMLElement>(
        "input:checked, input:not([type=radio]), select, textarea",
      ) ?? dialog?.querySelector<HTMLElement>("[data-footer] button");
    first?.focus();
    return () => dialog?.close();
  }, []);

  return createPortal(
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isPersistent) onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        if (event.target === ref.current && !isPersistent) onClose();
      }}
      className={`m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-visible rounded-lg bg-surface p-0 text-ink shadow-dialog open:animate-rise backdrop:animate-fade ${wide ? "max-w-2xl" : "max-w-110"}`}
    >
      <form
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
        className="flex max-h-[calc(100dvh-2rem)] flex-col short:block short:overflow-y-auto"
      >
        <div className="flex items-start justify-between gap-4 pt-4 pr-3 pl-5">
          <h2 id={id} className="min-w-0 break-words pt-1 font-semibold text-lg leading-6">
            {title}
          </h2>
          <IconButton label="Close" Icon={X} onClick={onClose} />
        </div>
        <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-2 pb-5">{children}</div>
        {footer && (
          <div
            data-footer
            className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3.5"
          >
            {footer}
          </div>
        )}
      </form>
    </dialog>,
    document.body,
  );
}
