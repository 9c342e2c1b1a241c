import { useEffect, useRef } from "react";
import { positionTooltip } from "./position-tooltip.ts";

const SHOW_DELAY_MS = 450;

/**
 * Shows the `data-tooltip` text of the hovered or focused element. One layer serves the whole page; it
 * is hidden from screen readers, so elements need accessible names of their own.
 */
export function TooltipLayer() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tooltip = ref.current;
    if (tooltip === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const hide = () => {
      clearTimeout(timer);
      if (tooltip.matches(":popover-open")) tooltip.hidePopover();
    };
    const show = (owner: HTMLElement) => {
      if (!owner.isConnected || owner.ariaExpanded === "true") return;
      const { tooltip: text = "" } = owner.dataset;
      // Some buttons show their label, but only on wide screens.
      if (owner.querySelector("[data-label]")?.checkVisibility()) return;
      tooltip.textContent = text;
      if (tooltip.matches(":popover-open")) tooltip.hidePopover();
      tooltip.showPopover();
      positionTooltip(tooltip, owner.getBoundingClientRect());
    };
    const handleOver = (event: Event) => {
      const owner = ownerOf(event.target);
      hide();
      if (owner === undefined) return;
      const byKeyboard = event.type === "focusin";
      if (byKeyboard && !owner.matches(":focus-visible")) return;
      timer = setTimeout(() => show(owner), byKeyboard ? 0 : SHOW_DELAY_MS);
    };

    const listeners = [
      ["pointerover", handleOver],
      ["focusin", handleOver],
      ["focusout", hide],
      ["pointerdown", hide],
      ["keydown", hide],
      ["scroll", hide],
    ] as const;
    for (const [name, listener] of listeners) document.addEventListener(name, listener, true);
    return () => {
      hide();
      for (const [name, listener] of listeners) document.removeEventListener(name, listener, true);
    };
  }, []);

  return (
    <div
      ref={ref}
      popover="manual"
      aria-hidden
      className="pointer-events-none fixed m-0 max-w-80 animate-fade break-words rounded-md border-0 bg-ink px-2 py-1 text-canvas text-xs"
    />
  );
}

function ownerOf(target: EventTarget | null): HTMLElement | undefined {
  const found = target instanceof Element ? target.closest("[data-tooltip]") : null;
  return found instanceof HTMLElement ? found : undefined;
}
