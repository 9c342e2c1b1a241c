import { Download, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { saveUrl } from "../../../app/save-url.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
import { entryOfFile } from "../data/entry.ts";
import { FileUrl } from "../details/file-url.tsx";
import { KindIcon } from "../kind-icon.tsx";
import { VisibilityMark } from "../visibility-mark.tsx";
import { ContentArea } from "./content-area.tsx";
import { noPreviewReason } from "./no-preview-reason.ts";
import { isMedia, previewKind } from "./preview-kind.ts";

export interface DetailsPreviewProps {
  readonly file: FileObject;
  /** Why the content is not shown, if not because of its type. */
  readonly note?: string | undefined;
}

/** Metadata of a file that has no preview. */
export function DetailsPreview({ file, note }: DetailsPreviewProps) {
  const folder = file.key.slice(0, -file.name.length - 1);
  return (
    <ContentArea
      label={`Details of ${file.name}`}
      className={`min-h-0 flex-1 overflow-y-auto ${isMedia(previewKind(file)) ? "bg-side text-ink scheme-dark" : ""}`}
    >
      <div className="mx-auto flex w-full max-w-xl flex-col gap-6 px-6 py-8 md:py-12">
        <div className="flex items-center gap-4">
          <KindIcon entry={entryOfFile(file)} className="size-12" />
          <h3 className="min-w-0 break-words font-semibold text-lg">
            <bdi>{file.name}</bdi>
          </h3>
        </div>
        <Notice tone="info">{note ?? noPreviewReason(file)}</Notice>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5 text-sm">
          <Detail name="Type">{file.mimeType}</Detail>
          <Detail name="Size">
            {formatBytes(file.size)}
            {file.size > 999 && ` (${file.size.toLocaleString()} bytes)`}
          </Detail>
          <Detail name="Folder">
            <bdi>{folder === "" ? "Files" : folder}</bdi>
          </Detail>
          <Detail name="Visibility">
            <VisibilityMark visibility={file.visibility} className="text-sm!" />
          </Detail>
          <Detail name="Added">{formatFullTimestamp(file.createdAt)}</Detail>
          <Detail name="Modified">{formatFullTimestamp(file.updatedAt)}</Detail>
        </dl>
        <FileUrl file={file} />
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            Icon={Download}
            onClick={() => saveUrl(holdall.url(file, { download: true }))}
          >
            Download
          </Button>
          <Button
            Icon={ExternalLink}
            onClick={() => window.open(holdall.url(file), "_blank", "noopener")}
          >
            Open in a new tab
          </Button>
        </div>
      </div>
    </ContentArea>
  );
}

interface DetailProps {
  readonly name: string;
  readonly children: ReactNode;
}

function Detail({ name, children }: DetailProps) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
