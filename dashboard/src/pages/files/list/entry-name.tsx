import { useContext } from "react";
import { Link } from "../../../app/navigation/link.tsx";
import { hasModifier } from "../../../app/shortcuts/has-modifier.ts";
import { TruncatedName } from "../../../components/truncated-name.tsx";
import { findMatches } from "../../../text/find-matches.ts";
import { type Entry, nameOf } from "../data/entry.ts";
import { SearchText } from "../state/search-text.ts";
import type { EntryEvents } from "./entry-props.ts";
import { RenameField } from "./rename-field.tsx";

export interface EntryNameProps {
  readonly entry: Entry;
  readonly path: string;
  readonly isRenaming: boolean;
  readonly on: EntryEvents;
}

/** The name as a link that opens the entry, or the field to rename it. */
export function EntryName({ entry, path, isRenaming, on }: EntryNameProps) {
  const search = useContext(SearchText);
  if (isRenaming) {
    return <RenameField entry={entry} onDone={(name) => on.renamed(entry, name)} />;
  }
  const name = nameOf(entry);
  const shown = (
    <TruncatedName name={name} marks={search === "" ? [] : findMatches(name, search)} />
  );
  const className = `block min-w-0 underline-offset-4 hover:text-accent hover:underline ${entry.kind === "folder" ? "font-medium" : ""}`;
  if (entry.kind === "folder") {
    return (
      <Link to={path} tabIndex={-1} draggable={false} className={className}>
        {shown}
      </Link>
    );
  }
  return (
    <a
      href={path}
      tabIndex={-1}
      draggable={false}
      className={className}
      onClick={(event) => {
        if (hasModifier(event)) return;
        event.preventDefault();
        on.actions.open(entry);
      }}
    >
      {shown}
    </a>
  );
}
