import type { PointerEvent } from "react";
import type { Entry } from "../data/entry.ts";

const HOLD_MS = 450;
/** As far as a finger that rests may stray. */
const SLACK = 10;

/** What presses on entries came from. */
export interface Finger {
  /** A press begins, of a finger or of anything else. */
  begin(event: PointerEvent, entry: Entry): void;
  /** Whether the last press was a finger's. */
  isFinger(): boolean;
  /** Whether the last press was long enough to be one that holds. */
  hasHeld(): boolean;
}

/** Calls `onHold` when a finger rests on an entry, once for each press. */
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
