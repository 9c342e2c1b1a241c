import type { FolderVisibility } from "../../../../../sdk/src/holdall.ts";
import { SelectField } from "../../../components/fields/select-field.tsx";
import { END_CHOICES } from "../../../text/end-choices.ts";
import { formatDuration } from "../../../text/format-duration.ts";

export interface FolderEndFieldProps {
  readonly folder: FolderVisibility;
  /** undefined: not changed. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** When new files in the folder end. */
export function FolderEndField({ folder, value, onChange }: FolderEndFieldProps) {
  const { expireAfter, effectiveExpireAfter } = folder;
  const own = expireAfter === null ? "inherit" : expireAfter === 0 ? "never" : `${expireAfter}`;
  const options = [
    { value: "inherit", label: "Same as parent folder" },
    ...END_CHOICES,
    ...(expireAfter !== null && expireAfter > 0 && !END_CHOICES.some((each) => each.value === own)
      ? [{ value: own, label: `Ends after ${formatDuration(expireAfter)}` }]
      : []),
  ];
  return (
    <SelectField
      label="Lifetime of new files here and in subfolders"
      options={options}
      value={value ?? own}
      onChange={onChange}
      hint={
        effectiveExpireAfter === null
          ? "Now they do not end, unless their upload says so."
          : `Now they end after ${formatDuration(effectiveExpireAfter)} and move to the trash.`
      }
    />
  );
}
