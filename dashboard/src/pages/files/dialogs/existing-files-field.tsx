import type { UseQueryResult } from "@tanstack/react-query";
import { useId } from "react";
import type { Visibility, VisibilityCounts } from "../../../../../sdk/src/holdall.ts";
import { formatCount } from "../../../text/format-count.ts";

export interface ExistingFilesFieldProps {
  readonly counts: UseQueryResult<VisibilityCounts>;
  /** The visibility that all files get; undefined: they stay as they are. */
  readonly value: Visibility | undefined;
  readonly onChange: (value: Visibility | undefined) => void;
}

/** Says what the files in a folder and its subfolders are now, and offers to make them all the same. */
export function ExistingFilesField({ counts, value, onChange }: ExistingFilesFieldProps) {
  const { data, error } = counts;
  const name = useId();
  const changes = data && changesFor(data);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">Files that are here now</legend>
      {error ? (
        <p role="alert" className="text-bad text-sm">
          Couldn't count the files: {error.message}
        </p>
      ) : (
        <p role="status" className="text-muted text-sm">
          {data === undefined ? "Counting files…" : countText(data)}
        </p>
      )}
      {changes !== undefined &&
        changes.length > 1 &&
        changes.map(({ to, label }) => (
          <label key={label} className="flex items-center gap-2.5 text-sm">
            <input
              type="radio"
              name={name}
              checked={value === to}
              onChange={() => onChange(to)}
              className="size-3.5 flex-none accent-accent"
            />
            {label}
          </label>
        ))}
    </fieldset>
  );
}

interface ExistingChange {
  readonly to: Visibility | undefined;
  readonly label: string;
}

/** Returns "leave them as they are", and the choices that would change a file. */
function changesFor({ files }: VisibilityCounts): ExistingChange[] {
  const toPrivate = formatCount(files.public, "public file changes", "public files change");
  const toPublic = formatCount(files.private, "private file changes", "private files change");
  return [
    { to: undefined, label: "Keep them as they are" },
    ...(files.public > 0
      ? [{ to: "private", label: `Make all private: ${toPrivate}` } as const]
      : []),
    ...(files.private > 0
      ? [{ to: "public", label: `Make all public: ${toPublic}` } as const]
      : []),
  ];
}

/** "12 public, 28 private, including subfolders. New files stay public in 1 subfolder with its own default." */
export function countText({ files, folders }: VisibilityCounts): string {
  const total = files.public + files.private;
  if (total === 0) return "There are no files here.";
  const now = `${files.public.toLocaleString()} public, ${files.private.toLocaleString()} private, including subfolders.`;
  const own = (["public", "private"] as const).filter((each) => folders[each] > 0);
  if (own.length === 0) return now;
  const parts = own.map((each) => `${each} in ${formatCount(folders[each], "subfolder")}`);
  const isOne = folders.public + folders.private === 1;
  return `${now} New files stay ${parts.join(" and ")} with ${isOne ? "its" : "their"} own default.`;
}
