import { ChevronRight } from "lucide-react";
import { useId } from "react";
import { formatCount } from "../../text/format-count.ts";
import { ActivityItem } from "./activity-item.tsx";
import type { ActivityEntry } from "./activity-rows.ts";

export interface ActivityGroupProps extends ActivityEntry {
  /** The events of the act, newest first. */
  readonly entries: readonly ActivityEntry[];
  readonly me: string | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A list of hundreds would make the page slow. */
const MAX_SHOWN = 100;

/** An act of several events, as one line that opens. */
export function ActivityGroup({ entries, me, isOpen, onToggle, ...act }: ActivityGroupProps) {
  const listId = useId();
  const button = (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? listId : undefined}
      onClick={onToggle}
      className="relative rounded-sm text-muted text-xs tabular-nums after:absolute after:-inset-1.5 hover:text-ink"
    >
      <ChevronRight
        aria-hidden
        className={`-mt-0.5 inline-block size-3.5 transition-transform ${isOpen ? "rotate-90" : ""}`}
      />
      {entries.length} entries
    </button>
  );
  return (
    <>
      <ActivityItem {...act} me={me} button={button} />
      {isOpen && (
        <ul id={listId} aria-label="Entries" className="flex flex-col pl-6.5 text-sm">
          {entries.slice(0, MAX_SHOWN).map((entry) => (
            <li key={entry.event.id}>
              <ActivityItem {...entry} me={me} />
            </li>
          ))}
          {entries.length > MAX_SHOWN && (
            <li className="py-1.75 pl-6.5 text-muted">
              and {formatCount(entries.length - MAX_SHOWN, "more", "more")}
            </li>
          )}
        </ul>
      )}
    </>
  );
}
