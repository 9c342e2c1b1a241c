import { useEffect, useState } from "react";

/** Whether a media query matches, now and after every change of the window. */
export function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const update = () => setMatches(list.matches);
    update();
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  }, [query]);
  return matches;
}

/** Fingers need larger targets than a mouse. */
export const COARSE_POINTER = "(pointer: coarse)";
