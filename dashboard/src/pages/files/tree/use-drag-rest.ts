import { useEffect, useRef } from "react";

/** The time that file managers wait, too. */
const REST_MS = 700;

/** Calls `onRest` when a drag stays over an element. Call `start` while it is over it, and `end` when it leaves. */
export function useDragRest(onRest: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onRest);
  latest.current = onRest;
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    start() {
      timer.current ??= setTimeout(() => latest.current(), REST_MS);
    },
    end() {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
  };
}
