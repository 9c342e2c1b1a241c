import { Ellipsis } from "lucide-react";
import { hasShift } from "../../../app/shortcuts/has-modifier.ts";
import { Checkbox } from "../../../components/fields/checkbox.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { endDrag, useDropTarget } from "../actions/drag.ts";
import { nameOf } from "../data/entry.ts";
import type { EntryProps } from "./entry-props.ts";

/** The attributes of the element of an entry: what the pointer does with it, and its state. */
export function useEntryElement({ entry, id, isSelected, isActive, isRenaming, on }: EntryProps) {
  const drop = useDropTarget(
    entry.kind === "folder" ? entry.folder : undefined,
    on.actions.moveInto,
  );
  return {
    id,
    "aria-selected": isSelected,
    draggable: !isRenaming,
    onDragStart: (event) => on.drag(event, entry),
    onDragEnd: endDrag,
    onPointerDown: (event) => on.pointerDown(event, entry),
    onClickCapture: (event) => on.tap(event, entry),
    onClick: (event) => on.click(event, entry),
    onDoubleClick: () => on.doubleClick(entry),
    onContextMenu: (event) => on.contextMenu(event, entry),
    ...drop,
    "data-active": isActive || undefined,
  } satisfies EntryElement;
}

interface EntryElement extends React.HTMLAttributes<HTMLDivElement> {
  readonly "data-active": true | undefined;
}

interface EntryControlProps extends Pick<EntryProps, "entry" | "on"> {
  readonly className?: string;
}

/** Selects an entry. */
export const EntryCheckbox = (props: EntryControlProps & Pick<EntryProps, "isSelected">) => {
  const { entry, on, isSelected, className } = props;
  return (
    <Checkbox
      tabIndex={-1}
      aria-label={`Select ${nameOf(entry)}`}
      checked={isSelected}
      onChange={({ nativeEvent }) => on.toggle(entry, hasShift(nativeEvent))}
      onClick={(event) => event.stopPropagation()}
      className={className}
    />
  );
};

/** Opens the menu of an entry. */
export const EntryMenuButton = ({ entry, on, className }: EntryControlProps) => (
  <IconButton
    tabIndex={-1}
    label={`More actions for ${nameOf(entry)}`}
    Icon={Ellipsis}
    aria-haspopup="menu"
    onClick={(event) => {
      event.stopPropagation();
      on.menu(entry, event.currentTarget.getBoundingClientRect());
    }}
    className={className}
  />
);
