import { Lock, RotateCcw, Trash2 } from "lucide-react";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/fields/checkbox.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { TruncatedName } from "../../components/truncated-name.tsx";
import { parentKey } from "../../text/key-parts.ts";
import { formatFullTimestamp } from "../../text/timestamp.ts";
import { NEEDS } from "../files/actions/needs.ts";
import { FileKindIcon, FolderIcon } from "../files/kind-icon.tsx";
import { formatExpiry, formatItemSize } from "./item-text.ts";
import type { Busy } from "./use-busy-items.ts";

export interface TrashRowProps {
  readonly item: TrashItem;
  readonly isSelected: boolean;
  /** The operation that runs on it now. Until it ends, the item takes no other action. */
  readonly busy: Busy | undefined;
  readonly onToggle: () => void;
  readonly onRestore: () => void;
  readonly onDelete: () => void;
}

/** One deleted file or folder: what it was, where, and until when it can be restored. */
export function TrashRow(props: TrashRowProps) {
  const { item, isSelected, busy, onToggle, onRestore, onDelete } = props;
  const { name, key, kind, mimeType, visibility, deletedAt, deletedBy, expiresAt } = item;
  const size = formatItemSize(item);
  const place = parentKey(key) || "Files";
  return (
    <div
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-3 py-2.5 sm:px-4 ${isSelected ? "bg-accent-soft" : ""}`}
    >
      <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
        <Checkbox
          className="mt-1"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={onToggle}
        />
        {kind === "folder" ? (
          <FolderIcon className="mt-0.5 size-5" />
        ) : (
          <FileKindIcon file={{ name, mimeType: mimeType ?? "" }} className="mt-0.5 size-5" />
        )}
        <div className="flex min-w-0 flex-1 flex-col gap-0.5">
          <div className="flex min-w-0 items-center gap-2 font-medium">
            <span className="min-w-0">
              <TruncatedName name={name} />
            </span>
            {visibility === "private" && (
              <span data-tooltip="Private" className="flex-none text-faint">
                <Lock aria-hidden className="size-3.5" />
                <span className="sr-only">Private</span>
              </span>
            )}
          </div>
          <p className="flex min-w-0 flex-wrap gap-x-3 text-muted text-sm tabular-nums">
            <span className="min-w-0 max-w-full truncate" title={place}>
              In <bdi>{place}</bdi>
            </span>
            {size !== undefined && <span>{size}</span>}
            <span>
              Deleted <Timestamp at={deletedAt} length="long" />
              {deletedBy !== null && (
                <>
                  {" by "}
                  <bdi className="break-words">{deletedBy}</bdi>
                </>
              )}
            </span>
            <span title={formatFullTimestamp(expiresAt)}>
              Deleted permanently {formatExpiry(item, new Date())}
            </span>
          </p>
        </div>
      </div>
      <div className="ml-auto flex flex-none items-center gap-1">
        <Button
          size="sm"
          Icon={RotateCcw}
          needs={NEEDS.restore}
          busy={busy === "restoring"}
          aria-disabled={busy !== undefined || undefined}
          aria-label={`Restore ${name}`}
          data-restore
          onClick={() => {
            if (busy === undefined) onRestore();
          }}
        >
          Restore
        </Button>
        <IconButton
          label={`Delete ${name} permanently`}
          data-tooltip="Delete permanently…"
          Icon={Trash2}
          needs={NEEDS.destroy}
          aria-disabled={busy !== undefined || undefined}
          className="aria-disabled:opacity-60"
          onClick={() => {
            if (busy === undefined) onDelete();
          }}
        />
      </div>
    </div>
  );
}
