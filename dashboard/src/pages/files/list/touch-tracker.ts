import type { PointerEvent } from "react";
import type { Entry } from "../data/entry.ts";

const LONG_PRESS_MS = 450;
/** Movement, in pixels, that still counts as a long press. */
const MOVE_TOLERANCE = 10;

/** Tracks the kind of the last press on an entry. */
export interface TouchTracker {
  /** A press starts, by any kind of pointer. */
  pointerDown(event: PointerEvent, entry: Entry): void;
  /** Whether the last press was a touch. */
  isTouch(): boolean;
  /** Whether the last press was a long press. */
  wasLongPress(): boolean;
}

/** Calls `onHold` on every long press of an entry by touch. */
export function createTouchTracker(onLongPress: (entry: Entry) => void): TouchTracker {
  let isTouch = false;
  let isLongPress = false;
  return {
    pointerDown({ pointerType, clientX, clientY }, entry) {
      isTouch = pointerType === "touch";
      isLongPress = false;
      if (!isTouch) return;
      const ending = new AbortController();
      const end = () => ending.abort();
      const options = { signal: ending.signal, capture: true };
      const timer = setTimeout(() => {
        end();
        isLongPress = true;
        onLongPress(entry);
      }, LONG_PRESS_MS);
      ending.signal.addEventListener("abort", () => clearTimeout(timer));
      window.addEventListener(
        "pointermove",
        (event) => {
          if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > MOVE_TOLERANCE) end();
        },
        options,
      );
      for (const name of ["pointerup", "pointercancel", "scroll"] as const) {
        window.addEventListener(name, end, options);
      }
    },
    isTouch: () => isTouch,
    wasLongPress: () => isLongPress,
  };
}
