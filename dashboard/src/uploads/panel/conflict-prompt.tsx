import { useState } from "react";
import { Link } from "../../app/navigation/link.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/fields/checkbox.tsx";
import { formatCount } from "../../text/format-count.ts";
import { displayName } from "../../text/key-parts.ts";
import { useVersionDays } from "../../trash/use-version-days.ts";
import type { Group } from "../group.ts";
import type { Item } from "../item.ts";
import { uploads } from "../uploads.ts";

export interface ConflictPromptProps {
  /** The file whose name is taken, or a folder with such files. */
  readonly subject: Item | Group;
  /** The number of files and folders to decide about, including this one. */
  readonly count: number;
  /** More conflicts may follow. */
  readonly isRunning: boolean;
}

/** Asks what to do with a file whose name is taken, or with all such files of a folder. */
export function ConflictPrompt({ subject, count, isRunning }: ConflictPromptProps) {
  const [forAll, setForAll] = useState(false);
  const days = useVersionDays();
  const isGroup = "conflicts" in subject;
  const decide = (decision: "replace" | "keepBoth" | "skip") => {
    if (forAll) uploads.decide("all", decision);
    else if (isGroup) uploads.decideGroup(subject.id, decision);
    else uploads.decide(new Set([subject.id]), decision);
    setForAll(false);
  };
  return (
    <fieldset
      aria-label={isGroup ? "Files already exist" : "File already exists"}
      className="flex flex-col gap-2.5 border-line border-t bg-warn-soft px-4 py-3"
    >
      <p className="break-words text-sm">
        {isGroup && `${formatCount(subject.conflicts, "file")} of `}
        <bdi className="font-medium">“{subject.name}”</bdi>{" "}
        {isGroup && subject.conflicts > 1 ? "already exist" : "already exists"} in{" "}
        <bdi>“{displayName(subject.folder)}”</bdi>.
      </p>
      {days !== undefined && <AfterReplacing days={days} />}
      {(count > 1 || isRunning) && (
        <label className="flex w-fit items-center gap-2 text-sm">
          <Checkbox checked={forAll} onChange={(event) => setForAll(event.target.checked)} />
          {count > 1 ? `Apply to all ${count.toLocaleString()} and the rest` : "Apply to the rest"}
        </label>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => decide("keepBoth")}>
          Keep both
        </Button>
        <Button
          size="sm"
          variant={days === 0 ? "danger" : "secondary"}
          onClick={() => decide("replace")}
        >
          Replace
        </Button>
        <Button size="sm" variant="quiet" onClick={() => decide("skip")}>
          Skip
        </Button>
      </div>
    </fieldset>
  );
}

/** Says what becomes of the content that is replaced. */
function AfterReplacing({ days }: { readonly days: number }) {
  if (days > 0) {
    return (
      <p className="text-sm">
        Replaced content is kept as an earlier version for {formatCount(days, "day")}.
      </p>
    );
  }
  return (
    <p className="text-bad text-sm">
      Replacing deletes the current content permanently.{" "}
      <Link to="/settings/trash" className="rounded-sm text-ink underline underline-offset-4">
        Keep replaced content…
      </Link>
    </p>
  );
}
