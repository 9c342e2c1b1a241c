import { Download, Eye, RotateCcw, Trash2 } from "lucide-react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileVersion } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { saveUrl } from "../../../app/save-url.ts";
import { Button } from "../../../components/button.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
import { NEEDS } from "../actions/needs.ts";

export interface VersionRowProps {
  readonly version: FileVersion;
  readonly isRestoring: boolean;
  readonly onPreview: () => void;
  readonly onRestore: () => void;
  readonly onDelete: () => void;
}

/** One version: when it was stored and replaced, and its actions. */
export function VersionRow(props: VersionRowProps) {
  const { version, isRestoring, onPreview, onRestore, onDelete } = props;
  const { modifiedAt, size, replacedAt, replacedBy, expiresAt } = version;
  const label = `version of ${formatFullTimestamp(modifiedAt)}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="font-medium tabular-nums">
          {formatFullTimestamp(modifiedAt)}{" "}
          <span className="whitespace-nowrap text-muted">{formatBytes(size)}</span>
        </p>
        <p className="flex flex-wrap gap-x-3 text-muted">
          <span>
            Replaced <Timestamp at={replacedAt} length="long" />
            {replacedBy !== null && (
              <>
                {" by "}
                <bdi className="break-words">{replacedBy}</bdi>
              </>
            )}
          </span>
          <span>
            Kept until <Timestamp at={expiresAt} />
          </span>
        </p>
      </div>
      <div className="ml-auto flex flex-none items-center">
        <IconButton
          label={`Preview the ${label}`}
          data-tooltip="Preview"
          needs={NEEDS.read}
          Icon={Eye}
          onClick={onPreview}
        />
        <IconButton
          label={`Download the ${label}`}
          data-tooltip="Download"
          needs={NEEDS.read}
          Icon={Download}
          onClick={() => saveUrl(holdall.files.versionUrl(version.id, { download: true }))}
        />
        <IconButton
          label={`Delete the ${label} permanently`}
          data-tooltip="Delete permanently…"
          needs={NEEDS.destroy}
          Icon={Trash2}
          onClick={onDelete}
        />
        <Button
          size="sm"
          Icon={RotateCcw}
          needs={NEEDS.write}
          busy={isRestoring}
          aria-label={`Restore the ${label}`}
          className="ml-1"
          onClick={onRestore}
        >
          Restore
        </Button>
      </div>
    </li>
  );
}
