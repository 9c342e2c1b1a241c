import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 200;

/**
 * The text of a search field, and its setter; `onChange` gets the text after a pause in typing. A change
 * of `value` from elsewhere replaces the text.
 */
export function usePausedText(
  value: string,
  onChange: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return [text, setText];
}
