// biome-ignore-all lint/a11y/useSemanticElements: a virtualized grid cannot be a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus as a whole.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: use-grid-keys.ts handles the keys.
import { memo } from "react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { DROP_TARGET } from "../actions/drag.ts";
import { BucketBadge } from "../bucket-badge.tsx";
import { EntryVisibility } from "../entry-visibility.tsx";
import { FolderSizeText, formatContent } from "../folder-size-text.tsx";
import { EntryCheckbox, EntryMenuButton, useEntryElement } from "../list/entry-controls.tsx";
import { EntryName } from "../list/entry-name.tsx";
import { type EntryProps, SHOWN_ON_HOVER } from "../list/entry-props.ts";
import type { TileSize } from "./tile-size.ts";

/** The first view is a list, most of the time. */
const Thumbnail = lazyComponent(async () => (await import("./thumbnail.tsx")).Thumbnail);

export interface EntryTileProps extends EntryProps {
  readonly size: TileSize;
  /** The first files of a folder, once they are known. */
  readonly peek: readonly FileObject[] | undefined;
}

const NO_FILES: readonly FileObject[] = [];

/** In tiles as narrow as on phones, the whole footer is for the name. */
const ON_PICTURE =
  "@max-[8rem]/tile:absolute! @max-[8rem]/tile:right-1 @max-[8rem]/tile:bottom-10 @max-[8rem]/tile:size-8! @max-[8rem]/tile:bg-surface/85";

/** One entry of the grid layout. */
export const EntryTile = memo(function EntryTile(props: EntryTileProps) {
  const { entry, index, isSelected, isRenaming, path, on, size, peek } = props;
  const element = useEntryElement(props);
  const isSmall = size === "s";
  return (
    <div
      role="gridcell"
      aria-colindex={index + 1}
      {...element}
      className={`group @container/tile pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none] relative flex min-h-0 min-w-0 flex-col rounded-lg border border-line bg-surface shadow-sm transition-colors duration-100 hover:border-edge aria-selected:border-accent aria-selected:bg-accent-soft data-over:outline-offset-2 [.keyboard:focus-visible_&]:data-active:outline-2 [.keyboard:focus-visible_&]:data-active:outline-accent ${DROP_TARGET}`}
    >
      <div className="relative grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden rounded-t-lg border-line border-b bg-hover group-aria-selected:border-accent-line">
        <Thumbnail entry={entry} peek={peek ?? NO_FILES} />
      </div>
      <div
        className={`flex flex-none items-center pr-1 ${isSmall ? "h-9 pl-2 @max-[8rem]/tile:pr-2" : "h-14 pl-3"}`}
      >
        <div className="min-w-0 flex-1 text-sm">
          <div className="flex items-center gap-1.5">
            <div className="min-w-0">
              <EntryName entry={entry} path={path} isRenaming={isRenaming} on={on} />
            </div>
          </div>
          {!isSmall && <TileDetails entry={entry} />}
        </div>
        <EntryMenuButton entry={entry} on={on} className={isSmall ? ON_PICTURE : ""} />
      </div>
      {isSmall && (
        <EntryVisibility
          entry={entry}
          isIcon
          className="absolute bottom-10.5 left-1.5 rounded-sm bg-surface/85 p-0.5"
        />
      )}
      <span className="absolute top-2 right-2 grid">
        <BucketBadge entry={entry} />
      </span>
      {/* An opaque plate, so that it can be seen on any picture. */}
      <span
        className={`absolute top-1.5 left-1.5 grid size-7 place-items-center rounded-md bg-surface shadow-pop ${SHOWN_ON_HOVER}`}
      >
        <EntryCheckbox entry={entry} on={on} isSelected={isSelected} />
      </span>
    </div>
  );
});

/** The size and visibility of an entry, and where there is room, when a file was changed. */
const TileDetails = ({ entry }: Pick<EntryTileProps, "entry">) => (
  <p className="flex items-center gap-2 text-muted text-xs tabular-nums">
    <span className="min-w-0 truncate">
      {entry.kind === "folder" ? (
        <FolderSizeText id={entry.id} placeholder="Folder">
          {(size) => `${formatContent(size)} · ${formatBytes(size.bytes)}`}
        </FolderSizeText>
      ) : (
        <>
          {formatBytes(entry.file.size)}
          <span className="hidden @[16rem]/tile:inline">
            {" · "}
            <Timestamp at={entry.file.updatedAt} />
          </span>
        </>
      )}
    </span>
    <EntryVisibility entry={entry} className="ml-auto" />
  </p>
);
