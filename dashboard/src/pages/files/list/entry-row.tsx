// biome-ignore-all lint/a11y/useSemanticElements: a virtualized grid cannot be a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus as a whole.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: use-grid-keys.ts handles the keys.
import { memo } from "react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { DROP_TARGET } from "../actions/drag.ts";
import { BucketBadge } from "../bucket-badge.tsx";
import { nameOf } from "../data/entry.ts";
import { extensionOf } from "../data/extension-of.ts";
import { EntryVisibility } from "../entry-visibility.tsx";
import { FolderSizeText, formatContent } from "../folder-size-text.tsx";
import { KindIcon } from "../kind-icon.tsx";
import { COLUMNS } from "./columns.ts";
import { EntryCheckbox, EntryMenuButton, useEntryElement } from "./entry-controls.tsx";
import { EntryName } from "./entry-name.tsx";
import { type EntryProps, SHOWN_ON_HOVER } from "./entry-props.ts";

export interface EntryRowProps extends EntryProps {
  /** Offset from the top of the list, in pixels. */
  readonly top: number;
  readonly height: number;
}

const EndMark = lazyComponent(async () => (await import("../end-mark.tsx")).EndMark);

/** One entry of the list layout. */
export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { entry, index, isSelected, isRenaming, path, folderKey, on, top, height } = props;
  const element = useEntryElement(props);
  const name = nameOf(entry);
  const record = entry.kind === "folder" ? entry.folder : entry.file;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...element}
      className={`group pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none] absolute inset-x-0 ${COLUMNS} border-line/55 border-b px-4 transition-colors duration-150 ease-out hover:bg-hover aria-selected:bg-accent-soft data-over:-outline-offset-2 md:px-6 ${DROP_TARGET} [.keyboard:focus-visible_&]:data-active:outline-2 [.keyboard:focus-visible_&]:data-active:outline-accent [.keyboard:focus-visible_&]:data-active:-outline-offset-2`}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <span role="gridcell" className="flex items-center">
        <EntryCheckbox entry={entry} on={on} isSelected={isSelected} className={SHOWN_ON_HOVER} />
      </span>
      <span role="gridcell" className="flex min-w-0 items-center gap-3">
        <KindIcon entry={entry} />
        <span className={`min-w-0 ${isRenaming ? "flex-1" : ""}`}>
          <EntryName entry={entry} path={path} isRenaming={isRenaming} on={on} />
          {folderKey !== undefined && (
            <bdi className="block truncate text-left text-muted text-xs" title={folderKey}>
              {folderKey}
            </bdi>
          )}
          <span
            className={`block truncate text-muted text-xs tabular-nums @lg:hidden ${folderKey === undefined && !isRenaming ? "" : "hidden"}`}
          >
            <Timestamp at={record.updatedAt} />
            {entry.kind === "file" ? (
              ` · ${formatBytes(entry.file.size)}`
            ) : (
              <FolderSizeText id={entry.id}>
                {(size) => ` · ${formatContent(size)}, ${formatBytes(size.bytes)}`}
              </FolderSizeText>
            )}
          </span>
        </span>
        <BucketBadge entry={entry} />
        {entry.kind === "file" && entry.file.expiresAt && <EndMark file={entry.file} />}
        <EntryVisibility entry={entry} className="ml-auto" />
      </span>
      <span role="gridcell" className="hidden truncate text-muted text-sm tabular-nums @3xl:block">
        {entry.kind === "folder" ? (
          <FolderSizeText id={entry.id} placeholder="Folder">
            {(size) => (
              <>
                <span className="sr-only">Folder, </span>
                <span>{formatContent(size)}</span>
              </>
            )}
          </FolderSizeText>
        ) : (
          extensionOf(name) || "File"
        )}
      </span>
      <span role="gridcell" className="hidden text-right text-muted text-sm tabular-nums @lg:block">
        {entry.kind === "file" ? (
          formatBytes(entry.file.size)
        ) : (
          <FolderSizeText id={entry.id} placeholder="–">
            {({ bytes }) => formatBytes(bytes)}
          </FolderSizeText>
        )}
      </span>
      <span role="gridcell" className="hidden text-right text-muted text-sm tabular-nums @lg:block">
        <span className="@3xl:hidden">
          <Timestamp at={record.updatedAt} />
        </span>
        <span className="hidden @3xl:inline">
          <Timestamp at={record.updatedAt} length="long" />
        </span>
      </span>
      <span role="gridcell" className="flex justify-end @5xl:justify-start">
        <EntryMenuButton
          entry={entry}
          on={on}
          className="md:not-pointer-coarse:opacity-0 md:focus-visible:opacity-100 md:group-hover:opacity-100 md:group-aria-selected:opacity-100 md:group-data-active:opacity-100"
        />
      </span>
    </div>
  );
});
