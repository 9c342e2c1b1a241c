// biome-ignore-all lint/a11y/useSemanticElements: a virtualized grid cannot be a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus as a whole.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: use-grid-keys.ts handles the keys.
import { Ellipsis } from "lucide-react";
import { memo } from "react";
import { formatBytes } from "../../../../../server/rules/format-bytes.ts";
import { hasShift } from "../../../app/has-modifier.ts";
import { Checkbox } from "../../../components/checkbox.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { endDrag, useDropTarget } from "../actions/drag.ts";
import { BucketBadge } from "../bucket-badge.tsx";
import { nameOf } from "../data/entry.ts";
import { EntryVisibility } from "../entry-visibility.tsx";
import { FolderSizeText, formatContent } from "../folder-size-text.tsx";
import { EntryName } from "../list/entry-name.tsx";
import type { EntryProps } from "../list/entry-props.ts";
import { Thumbnail } from "./thumbnail.tsx";

/** One entry of the grid layout. */
export const EntryTile = memo(function EntryTile(props: EntryProps) {
  const { entry, id, index, isSelected, isActive, isRenaming, path, on } = props;
  const name = nameOf(entry);
  const drop = useDropTarget(
    entry.kind === "folder" ? entry.folder : undefined,
    on.actions.moveInto,
  );
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={index + 1}
      aria-selected={isSelected}
      draggable={!isRenaming}
      onDragStart={(event) => on.drag(event, entry)}
      onDragEnd={endDrag}
      onPointerDown={(event) => on.pointerDown(event, entry)}
      onClickCapture={(event) => on.tap(event, entry)}
      onClick={(event) => on.click(event, entry)}
      onDoubleClick={() => on.doubleClick(entry)}
      onContextMenu={(event) => on.contextMenu(event, entry)}
      {...drop}
      data-active={isActive || undefined}
      className="group pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none] relative flex min-h-0 min-w-0 flex-col rounded-lg border border-line bg-surface transition-colors hover:border-edge aria-selected:border-accent aria-selected:bg-accent-soft data-over:border-accent data-over:bg-accent-soft [.keyboard:focus-visible_&]:data-active:outline-2 [.keyboard:focus-visible_&]:data-active:outline-accent"
    >
      <div className="grid min-h-0 flex-1 place-items-center overflow-hidden rounded-t-lg border-line border-b bg-hover">
        <Thumbnail entry={entry} />
      </div>
      <div className="flex h-15 flex-none items-center gap-1 pr-1 pl-3">
        <div className="min-w-0 flex-1 text-sm">
          <div className="flex items-center gap-1.5">
            <div className="min-w-0">
              <EntryName entry={entry} path={path} isRenaming={isRenaming} on={on} />
            </div>
          </div>
          <p className="flex items-center gap-2 text-muted text-xs tabular-nums">
            <span className="min-w-0 truncate">
              {entry.kind === "folder" ? (
                <FolderSizeText id={entry.id} placeholder="Folder">
                  {(size) => `${formatContent(size)} · ${formatBytes(size.bytes)}`}
                </FolderSizeText>
              ) : (
                <>
                  <Timestamp at={entry.file.updatedAt} /> · {formatBytes(entry.file.size)}
                </>
              )}
            </span>
            <EntryVisibility entry={entry} className="ml-auto" />
          </p>
        </div>
        <IconButton
          tabIndex={-1}
          label={`More actions for ${name}`}
          Icon={Ellipsis}
          aria-haspopup="menu"
          onClick={(event) => {
            event.stopPropagation();
            on.menu(entry, event.currentTarget.getBoundingClientRect());
          }}
        />
      </div>
      <span className="absolute top-2 right-2 grid">
        <BucketBadge entry={entry} />
      </span>
      <span className="absolute top-2 left-2 grid rounded-sm group-hover:opacity-100 group-aria-selected:opacity-100 md:not-pointer-coarse:opacity-0">
        <Checkbox
          tabIndex={-1}
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={({ nativeEvent }) => on.toggle(entry, hasShift(nativeEvent))}
          onClick={(event) => event.stopPropagation()}
        />
      </span>
    </div>
  );
});
