import type { UseQueryResult } from "@tanstack/react-query";
import type { Visibility, VisibilityCounts } from "../../../../../sdk/src/holdall.ts";
import { Checkbox } from "../../../components/fields/checkbox.tsx";
import { formatCount } from "../../../text/format-count.ts";

export interface ExistingFilesFieldProps {
  readonly counts: UseQueryResult<VisibilityCounts>;
  /** What all files become; undefined: they stay as they are. */
  readonly value: Visibility | undefined;
  readonly onChange: (value: Visibility | undefined) => void;
}

/** Says what the files in a folder and its subfolders are now, and offers to change all of one kind. */
export function ExistingFilesField({ counts, value, onChange }: ExistingFilesFieldProps) {
  const { data, error } = counts;
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
      {data &&
        (["private", "public"] as const).map((to) => {
          const from = to === "private" ? "public" : "private";
          const count = data.files[from];
          if (count === 0) return null;
          return (
            <label key={to} className="flex items-center gap-2.5 text-sm">
              <Checkbox
                checked={value === to}
                onChange={() => onChange(value === to ? undefined : to)}
              />
              Make the {formatCount(count, `${from} file`)} here {to}
            </label>
          );
        })}
    </fieldset>
  );
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
