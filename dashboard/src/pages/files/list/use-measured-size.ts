import { type RefObject, useLayoutEffect, useState } from "react";

type Measured = RefObject<HTMLElement | null>;

/** The client width of an element in pixels; 0 until it has been measured. */
export const useMeasuredWidth = (ref: Measured): number => useMeasured(ref, "clientWidth");

/** The height of an element in pixels, with its borders; 0 until it has been measured. */
export const useMeasuredHeight = (ref: Measured): number => useMeasured(ref, "offsetHeight");

function useMeasured(ref: Measured, side: "clientWidth" | "offsetHeight"): number {
  const [size, setSize] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setSize(element[side]);
    const observer = new ResizeObserver(() => setSize(element[side]));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, side]);
  return size;
}
