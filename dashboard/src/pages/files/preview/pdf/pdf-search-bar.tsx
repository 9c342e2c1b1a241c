import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Input } from "../../../../components/fields/input.tsx";
import { IconButton } from "../../../../components/icon-button.tsx";
import type { PdfSearch } from "./use-pdf-search.ts";

export interface PdfSearchBarProps {
  readonly search: PdfSearch;
  readonly onClose: () => void;
}

/** A field to find text in a PDF. Enter goes to the next match, with Shift to the one before. */
export function PdfSearchBar({ search, onClose }: PdfSearchBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const handleKey = (event: KeyboardEvent) => {
    // The preview has shortcuts of its own, such as Delete.
    event.stopPropagation();
    if (event.key === "Enter") search.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <search className="absolute top-3 right-3 left-3 flex items-center gap-1 rounded-lg border border-line bg-surface p-1 text-ink shadow-pop sm:left-auto">
      <Input
        ref={input}
        type="search"
        aria-label="Find in the document"
        placeholder="Find"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={search.text}
        onChange={({ target }) => search.setText(target.value)}
        onKeyDown={handleKey}
        className="h-8! min-w-0 flex-1 text-sm sm:w-56"
      />
      <output
        aria-label="Matches"
        className="min-w-20 whitespace-nowrap px-1 text-center text-muted text-sm tabular-nums"
      >
        {describe(search)}
      </output>
      <IconButton
        label="Previous match"
        Icon={ChevronUp}
        disabled={search.total === 0}
        onClick={() => search.step(-1)}
      />
      <IconButton
        label="Next match"
        Icon={ChevronDown}
        disabled={search.total === 0}
        onClick={() => search.step(1)}
      />
      <IconButton label="Close the search" Icon={X} onClick={onClose} />
    </search>
  );
}

function describe({ text, total, at, isSearching }: PdfSearch): string {
  if (text.trim() === "") return "";
  if (total > 0) return `${(at + 1).toLocaleString()} of ${total.toLocaleString()}`;
  return isSearching ? "Searching…" : "No matches";
}
