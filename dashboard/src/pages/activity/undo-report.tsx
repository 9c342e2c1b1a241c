import type { DryRun } from "../../../../sdk/src/undo.ts";
import { FocusArea } from "../../components/focus-area.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../text/format-count.ts";

/** Rows of each list: the server reports up to a thousand. */
const SHOWN = 100;

const TEXTS: Readonly<Record<string, string>> = {
  "file.restored": "Restore",
  "folder.restored": "Restore",
  "file.moved": "Move back",
  "folder.moved": "Move back",
  "file.replaced": "Bring back the content of",
  "folder.created": "Create",
};

/** Shows the changes that an undo would make, and its conflicts. */
export function UndoReport({ report }: { readonly report: DryRun }) {
  const { total, files, changes, conflicts } = report;
  if (total === 0 && conflicts.length === 0)
    return <Notice tone="info">There is nothing to undo.</Notice>;
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        This would make {formatCount(total, "change")} to {formatCount(files, "file")}. Nothing has
        been changed yet.
      </p>
      {changes.length > 0 && (
        <Rows
          label="Changes"
          total={total}
          rows={changes.map(({ type, key, fromKey }) => {
            const from = fromKey === null || fromKey === key ? "" : `${fromKey} to `;
            return `${TEXTS[type] ?? "Change back"} ${from}${key}`;
          })}
        />
      )}
      {conflicts.length > 0 && (
        <>
          <Notice tone="bad">
            {formatCount(conflicts.length, "file or folder", "files and folders")} would stay or get
            another name.
          </Notice>
          <Rows
            label="Conflicts"
            total={conflicts.length}
            rows={conflicts.map(({ key, id, reason }) => `${key ?? id}: ${reason}`)}
          />
        </>
      )}
    </div>
  );
}

interface RowsProps {
  readonly label: string;
  readonly rows: readonly string[];
  readonly total: number;
}

function Rows({ label, rows, total }: RowsProps) {
  const shown = rows.slice(0, SHOWN);
  return (
    <FocusArea label={label} className="max-h-48 overflow-y-auto rounded-md border border-line">
      <ul className="flex flex-col gap-1 p-2">
        {shown.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
          <li key={index} className="break-words">
            {row}
          </li>
        ))}
        {total > shown.length && (
          <li className="text-muted">and {formatCount(total - shown.length, "more", "more")}</li>
        )}
      </ul>
    </FocusArea>
  );
}
