import { ChevronsUpDown, FolderClosed } from "lucide-react";
import type { SpaceObject } from "../../../sdk/src/holdall.ts";
import { queryClient } from "../app/connection/client.ts";
import { navigateTo } from "../app/navigation/location.ts";
import { Menu } from "../components/menus/menu.tsx";
import { showToast } from "../components/toast-store.ts";
import { displayName, parentKey } from "../text/key-parts.ts";
import { areUploadsRunning } from "../uploads/are-uploads-running.ts";
import { enterSpace } from "./enter-space.ts";
import { useRights } from "./rights.ts";

export interface SpaceMenuProps {
  /** Whether there is only room for the icon. */
  readonly isNarrow: boolean;
}

/** Shows and changes the space in which a member with several spaces works. Empty for everybody else. */
export function SpaceMenu({ isNarrow }: SpaceMenuProps) {
  const rights = useRights();
  if (rights?.space === undefined || rights.spaces.length < 2) return null;
  const { space: current, spaces } = rights;
  const name = nameOf(current, spaces);
  return (
    <Menu
      label="Space"
      items={spaces.map((space) => ({
        label: nameOf(space, spaces),
        isChecked: space.id === current.id,
        onSelect: () => void open(space, current),
      }))}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          data-tooltip={isNarrow ? name : undefined}
          className={`flex h-11 flex-none items-center gap-2.5 rounded-md border border-edge bg-surface text-left shadow-sm transition-colors hover:bg-hover ${isNarrow ? "justify-center" : "px-2.5"}`}
        >
          <FolderClosed aria-hidden className="size-4 flex-none text-accent" />
          <span className="sr-only">Space </span>
          <span className={isNarrow ? "sr-only" : "min-w-0 flex-1 truncate text-sm"}>
            <bdi>{name}</bdi>
          </span>
          {!isNarrow && <ChevronsUpDown aria-hidden className="size-3.5 flex-none text-faint" />}
        </button>
      )}
    />
  );
}

/** The name of its folder, with the parent's where another space has the same. */
function nameOf({ id, folder: { key } }: SpaceObject, all: readonly SpaceObject[]): string {
  if (key === null) return "In the trash";
  const name = displayName(key);
  const isTaken = all.some(
    (other) =>
      other.id !== id && other.folder.key !== null && displayName(other.folder.key) === name,
  );
  const parent = parentKey(key);
  return isTaken && parent ? `${name} (${parent})` : name;
}

async function open(space: SpaceObject, current: SpaceObject): Promise<void> {
  if (space.id === current.id) return;
  // An upload that waits belongs to the space that it was dropped in.
  if (await areUploadsRunning()) {
    showToast("Files are being uploaded. Switch when they are done.");
    return;
  }
  enterSpace(space);
  navigateTo("/files");
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}
