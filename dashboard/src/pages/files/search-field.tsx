import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { shortcutOf } from "../../app/shortcuts/shortcuts.ts";
import { Input } from "../../components/fields/input.tsx";
import { usePausedText } from "../../components/fields/use-paused-text.ts";

export interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Searches after a pause in typing. The slash key focuses the field, Escape empties and leaves it. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const [text, setText] = usePausedText(value, onChange);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const field = target?.closest("input, textarea, select, dialog") ?? null;
      if (shortcutOf("files", event) !== "search" || field !== null) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <search className="min-w-0 flex-1 sm:max-w-80 @6xl/files:w-44 @6xl/files:flex-none @7xl/files:w-64">
      {/* Fingers may also press a little above and below the field. */}
      <label
        htmlFor="search-files"
        className="relative block pointer-coarse:before:absolute pointer-coarse:before:inset-x-0 pointer-coarse:before:-inset-y-1"
      >
        <Search
          aria-hidden
          className="pointer-events-none absolute inset-y-0 left-2 z-10 my-auto size-4 sm:left-2.5 text-muted"
        />
        <Input
          ref={input}
          id="search-files"
          type="search"
          aria-label="Search all folders"
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            if (text !== "") return setText("");
            const list = document.querySelector<HTMLElement>("[data-entries]");
            if (list === null) event.currentTarget.blur();
            else list.focus({ preventScroll: true });
          }}
          className="relative h-8! border-edge pr-1! pl-7! text-sm pointer-coarse:h-9! sm:pl-8!"
        />
      </label>
    </search>
  );
}
