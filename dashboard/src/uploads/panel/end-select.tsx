import { Hourglass } from "lucide-react";
import { Select } from "../../components/fields/select.tsx";
import { useFolderVisibility } from "../../pages/files/data/use-folder-visibility.ts";
import { END_CHOICES } from "../../text/end-choices.ts";
import { formatDuration } from "../../text/format-duration.ts";
import { uploads } from "../uploads.ts";
import type { UploadsState } from "../uploads-state.ts";

/** Says when the uploaded files end, and changes it for all files of the panel. */
export function EndSelect({ state }: { readonly state: UploadsState }) {
  const { items, groups, expiresIn } = state;
  const target = items.find(({ group }) => group === undefined)?.folder ?? groups[0]?.folder;
  const { data } = useFolderVisibility(target ?? "", target !== undefined);
  const after = data?.folder.effectiveExpireAfter;
  const byFolder = after ? `As the folder: after ${formatDuration(after)}` : "Never ends";
  const options =
    after === undefined || after === null
      ? END_CHOICES
      : [{ value: "folder", label: byFolder }, ...END_CHOICES];
  const nothing = after ? "folder" : "never";
  return (
    <div className="flex items-center gap-3 border-line border-t px-4 py-2">
      <Hourglass aria-hidden className="size-4 flex-none text-muted" />
      <p className="min-w-0 flex-1 text-muted text-xs">
        What ends is missing from then on, and moves to the trash.
      </p>
      <Select
        isFilter
        aria-label="When these uploads end"
        value={expiresIn === undefined ? nothing : `${expiresIn ?? "never"}`}
        options={options}
        onChange={(choice) => {
          if (choice !== "folder") uploads.setExpiresIn(choice === "never" ? null : Number(choice));
        }}
      />
    </div>
  );
}
