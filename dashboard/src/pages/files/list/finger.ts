import type { PointerEvent } from "react";
import type { Entry } from "../data/entry.ts";

const HOLD_MS = 450;
/** Movement, in pixels, that still counts as a long press. */
const SLACK = 10;

/** Tracks the kind of the last press on an entry. */
export interface Finger {
  /** A press starts, by any kind of pointer. */
  begin(event: PointerEvent, entry: Entry): void;
  /** Whether the last press was a touch. */
  isFinger(): boolean;
  /** Whether the last press was a long press. */
  hasHeld(): boolean;
}

/** Calls `onHold` on every long press of an entry by touch. */
export function createFinger(onHold: (entry: Entry) => void): Finger {
  let isFinger = false;
  let held = false;
  return {
    begin({ pointerType, clientX, clientY }, entry) {
      isFinger = pointerType === "touch";
      held = false;
      if (!isFinger) return;
      const ending = new AbortController();
      const end = () => ending.abort();
      const options = { signal: ending.signal, capture: true };
      const timer = setTimeout(() => {
        end();
        held = true;
        onHold(entry);
      }, HOLD_MS);
      ending.signal.addEventListener("abort", () => clearTimeout(timer));
      window.addEventListener(
        "pointermove",
        (event) => {
          if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > SLACK) end();
        },
        options,
      );
      for (const name of ["pointerup", "pointercancel", "scroll"] as const) {
        window.addEventListener(name, end, options);
      }
    },
    isFinger: () => isFinger,
    hasHeld: () => held,
  };
}
