import { Segmented } from "../../components/fields/segmented.tsx";
import { useFolderVisibility } from "../../pages/files/data/use-folder-visibility.ts";
import { VISIBILITIES } from "../../pages/files/visibility-mark.tsx";
import { uploads } from "../uploads.ts";
import type { UploadsState } from "../uploads-state.ts";

const OPTIONS = [
  { value: "public", label: "Public" },
  { value: "private", label: "Private" },
] as const;

const HINTS = {
  public: "Anyone with the URL can open these files.",
  private: "Only you, API keys and links can open these files.",
};

/**
 * Says what the uploaded files are, and changes it for all files of the panel. Until the user chooses, it is
 * what the folder says.
 */
export function VisibilitySwitch({ state }: { readonly state: UploadsState }) {
  const { items, groups, visibility } = state;
  const target = items.find(({ group }) => group === undefined)?.folder ?? groups[0]?.folder;
  const { data } = useFolderVisibility(target ?? "", target !== undefined);
  const shown = visibility ?? data?.folder.effectiveVisibility;
  if (shown === undefined) return null;
  const { Icon } = VISIBILITIES[shown];
  return (
    <div className="flex items-center gap-3 border-line border-t px-4 py-2">
      <Icon aria-hidden className="size-4 flex-none text-muted" />
      <p className="min-w-0 flex-1 text-muted text-xs">{HINTS[shown]}</p>
      <Segmented
        label="Visibility of these uploads"
        value={shown}
        options={OPTIONS}
        onChange={uploads.setVisibility}
      />
    </div>
  );
}
