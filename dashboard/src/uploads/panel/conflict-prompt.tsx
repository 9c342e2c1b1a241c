import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { displayName } from "../../text/key-parts.ts";
import type { Item } from "../item.ts";
import { uploads } from "../uploads.ts";

export interface ConflictPromptProps {
  readonly item: Item;
  /** The number of conflicts, including this one. */
  readonly count: number;
  /** More conflicts may follow. */
  readonly isRunning: boolean;
}

/** Asks what to do with a file whose name is taken. */
export function ConflictPrompt({ item, count, isRunning }: ConflictPromptProps) {
  const [forAll, setForAll] = useState(false);
  const decide = (decision: "replace" | "keepBoth" | "skip") => {
    uploads.decide(forAll ? "all" : new Set([item.id]), decision);
    setForAll(false);
  };
  return (
    <fieldset
      aria-label="File already exists"
      className="flex flex-col gap-2.5 border-line border-t bg-warn-soft px-4 py-3"
    >
      <p className="break-words text-sm">
        <bdi className="font-medium">“{item.name}”</bdi> already exists in{" "}
        <bdi>“{displayName(item.folder)}”</bdi>.
      </p>
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
        <Button size="sm" onClick={() => decide("replace")}>
          Replace
        </Button>
        <Button size="sm" variant="quiet" onClick={() => decide("skip")}>
          Skip
        </Button>
      </div>
    </fieldset>
  );
}
