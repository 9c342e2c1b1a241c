import { ChevronRight } from "lucide-react";
import { useId } from "react";
import { ActivityItem } from "./activity-item.tsx";
import type { ActivityEntry } from "./activity-rows.ts";

export interface ActivityGroupProps extends ActivityEntry {
  /** The events of the act, newest first. */
  readonly entries: readonly ActivityEntry[];
  readonly me: string | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** An act of several events, as one line that opens. */
export function ActivityGroup({ entries, me, isOpen, onToggle, ...act }: ActivityGroupProps) {
  const listId = useId();
  const button = (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? listId : undefined}
      onClick={onToggle}
      className="ml-2 inline-flex items-center gap-0.5 rounded-sm text-muted text-xs tabular-nums hover:text-ink"
    >
      <ChevronRight
        aria-hidden
        className={`size-3.5 flex-none transition-transform ${isOpen ? "rotate-90" : ""}`}
      />
      {entries.length} entries
    </button>
  );
  const content = isOpen && (
    <ul id={listId} aria-label="Entries" className="mt-1 flex flex-col text-sm">
      {entries.map((entry) => (
        <li key={entry.event.id}>
          <ActivityItem {...entry} me={me} />
        </li>
      ))}
    </ul>
  );
  return <ActivityItem {...act} me={me} disclosure={{ button, content }} />;
}
