import { useQuery } from "@tanstack/react-query";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject, FileVersion } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { saveUrl } from "../../../app/save-url.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { FocusArea } from "../../../components/focus-area.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { withSpace } from "../../../rights/rights.ts";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
import { previewKind } from "../preview/preview-kind.ts";
import { decodeText } from "../preview/text/decode-text.ts";

/** Bytes of a text that are shown. */
const TEXT_BYTES = 64 * 1024;

export interface VersionPreviewDialogProps {
  readonly file: FileObject;
  readonly version: FileVersion;
  readonly onClose: () => void;
}

/** Shows the content of a version, so that one can tell which to restore. */
export function VersionPreviewDialog({ file, version, onClose }: VersionPreviewDialogProps) {
  return (
    <Dialog
      wide
      title={
        <>
          “<bdi className="break-all">{file.name}</bdi>” of{" "}
          {formatFullTimestamp(version.modifiedAt)}
        </>
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button onClick={() => saveUrl(holdall.files.versionUrl(version.id, { download: true }))}>
            Download ({formatBytes(version.size)})
          </Button>
        </>
      }
    >
      <Content file={file} version={version} />
    </Dialog>
  );
}

function Content({ file, version }: Omit<VersionPreviewDialogProps, "onClose">) {
  const url = withSpace(holdall.files.versionUrl(version.id));
  const media = "mx-auto max-h-[60dvh] max-w-full rounded-md";
  switch (previewKind({ name: file.name, mimeType: version.mimeType })) {
    case "image":
      return <img src={url} alt={`Earlier version of ${file.name}`} className={media} />;
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: uploaded media has no caption track.
      return <video src={url} controls className={media} />;
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: uploaded media has no caption track.
      return <audio src={url} controls className="w-full" />;
    case "text":
    case "markdown":
      return <TextContent version={version} />;
    default:
      return <Notice tone="info">There is no preview of this type. Download it instead.</Notice>;
  }
}

function TextContent({ version: { id, size } }: { readonly version: FileVersion }) {
  const { data, error } = useQuery({
    queryKey: ["version text", id],
    queryFn: async ({ signal }) => {
      if (size === 0) return "";
      const range = { start: 0, end: Math.min(size, TEXT_BYTES) - 1 };
      const { response } = await holdall.files.downloadVersion(id, { range, signal });
      const contentType = response.headers.get("content-type");
      const bytes = new Uint8Array(await response.arrayBuffer());
      return decodeText([bytes], { contentType }).text;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Notice tone="bad">{error.message}</Notice>;
  if (data === undefined) return <Skeleton className="h-40" />;
  return (
    <>
      <FocusArea
        label="Text of the version"
        className="max-h-[60dvh] overflow-auto rounded-lg border border-line bg-hover"
      >
        <pre className="w-max min-w-full px-3 py-2.5 font-mono text-ink text-xs leading-5">
          {data}
        </pre>
      </FocusArea>
      {size > TEXT_BYTES && (
        <p className="text-muted text-sm">
          The first {formatBytes(TEXT_BYTES)} of {formatBytes(size)}.
        </p>
      )}
    </>
  );
}
