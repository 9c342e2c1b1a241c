import { type MouseEvent, type PointerEvent, useRef } from "react";
import { hasModifier } from "../../../app/shortcuts/has-modifier.ts";
import { clearSelection } from "../state/selection.ts";
import type { BandedList } from "./rubber-band.ts";

const loadRubberBand = () => import("./rubber-band.ts");

/** Handles the mouse beside the entries: a click clears the selection, as Escape does, and a drag selects. */
export function useEmptySpace(input: BandedList) {
  const latest = useRef(input);
  latest.current = input;
  const isPressed = useRef(false);
  return {
    onClick({ target, nativeEvent }: MouseEvent) {
      const { selection, onSelection } = latest.current;
      // With such a key, it may be a drag that was too short, which was to add to the selection.
      if (hasModifier(nativeEvent) || !isEmptySpace(target)) return;
      onSelection(clearSelection(selection));
    },
    onPointerEnter({ pointerType }: PointerEvent) {
      // So that a quick drag does not end before the script is there. If it fails, the press tries again.
      if (pointerType === "mouse") loadRubberBand().catch(() => undefined);
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      isPressed.current = startsBand(event);
      if (!isPressed.current) return;
      const released = new AbortController();
      const options = { signal: released.signal, capture: true };
      for (const name of ["pointerup", "pointercancel"] as const) {
        window.addEventListener(name, () => released.abort(), options);
      }
      const { currentTarget: scroller, nativeEvent: press } = event;
      loadRubberBand().then(
        ({ followRubberBand }) => {
          if (!released.signal.aborted) followRubberBand(scroller, press, () => latest.current);
        },
        // Without its script, a press is only a click.
        () => undefined,
      );
    },
    onMouseDown(event: MouseEvent<HTMLElement>) {
      if (!isPressed.current) return;
      // The browser would select text instead. It would also focus the list.
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
    },
  };
}

/** Not a finger, which scrolls, and not the scroll bar. */
function startsBand({
  pointerType,
  button,
  target,
  currentTarget,
  clientX,
}: PointerEvent): boolean {
  const { left } = currentTarget.getBoundingClientRect();
  return (
    pointerType === "mouse" &&
    button === 0 &&
    isEmptySpace(target) &&
    clientX < left + currentTarget.clientWidth
  );
}

/** Neither an entry nor a part of the header. */
const isEmptySpace = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("[aria-selected], [data-list-header]") === null;
