import { MenuList } from "../../../components/menus/menu-list.tsx";
import { type Entry, nameOf } from "../data/entry.ts";
import { entryMenu } from "./entry-menu.ts";
import type { FilesActions } from "./files-actions.ts";

export interface EntryMenuListProps {
  readonly entry: Entry;
  /** The rectangle that the menu opens next to, in window coordinates. */
  readonly at: DOMRect;
  readonly actions: FilesActions;
  readonly onClose: () => void;
}

/** The open menu of one entry. */
export const EntryMenuList = ({ entry, at, actions, onClose }: EntryMenuListProps) => (
  <MenuList
    label={`Actions for ${nameOf(entry)}`}
    items={entryMenu(entry, actions)}
    anchor={() => at}
    opener={null}
    onClose={onClose}
  />
);
