import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileObject, FileVersion } from "../../../../../sdk/src/holdall.ts";
import { formatBytes } from "../../../../../server/rules/format-bytes.ts";
import { holdall } from "../../../app/client.ts";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
import type { FilesActions } from "../actions/files-actions.ts";
import { DeleteVersionDialog } from "../versions/delete-version-dialog.tsx";
import { VersionPreviewDialog } from "../versions/version-preview-dialog.tsx";
import { VersionsSection } from "../versions/versions-section.tsx";
import { DetailList, DetailSection } from "./detail-list.tsx";
import {
  formatExposure,
  formatPlace,
  formatPlayTime,
  formatTakenAt,
  round,
} from "./format-facts.ts";
import type { Exif } from "./read-exif.ts";
import { readMediaFacts } from "./read-media-facts.ts";
import { SubjectActivity } from "./subject-activity.tsx";
import { SubjectLinks } from "./subject-links.tsx";

export interface FileDetailsProps {
  readonly file: FileObject;
  readonly actions: FilesActions;
}

/** Everything that is known about a file. */
export function FileDetails({ file, actions }: FileDetailsProps) {
  const facts = useQuery({
    queryKey: ["media facts", file.id, file.updatedAt],
    queryFn: ({ signal }) => readMediaFacts(file, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const [opened, setOpened] = useState<{ version: FileVersion; dialog: "preview" | "delete" }>();
  const { width, height, duration, exif } = facts ?? {};
  const folder = file.key.slice(0, -file.name.length - 1);
  return (
    <div className="flex flex-col gap-6 p-4">
      <p className="break-words font-semibold">
        <bdi>{file.name}</bdi>
      </p>
      <DetailList
        items={[
          ["Type", file.mimeType],
          ["Size", `${formatBytes(file.size)}${exactBytes(file.size)}`],
          ["Dimensions", width && height && `${width} × ${height} px`],
          ["Duration", duration && formatPlayTime(duration)],
          ["Visibility", file.visibility === "public" ? "Public" : "Private"],
          ["Folder", <bdi key="folder">{folder || "Files"}</bdi>],
          ["Added", formatFullTimestamp(file.createdAt)],
          ["Modified", formatFullTimestamp(file.updatedAt)],
          [
            "Id",
            <code key="id" className="break-all text-xs">
              {file.id}
            </code>,
          ],
        ]}
      />
      {exif && Object.keys(exif).length > 0 && (
        <DetailSection title="Photo">
          <DetailList items={exifItems(exif)} />
        </DetailSection>
      )}
      <CodeBlock label="URL" code={holdall.url(file)} />
      <Content file={file} actions={actions} />
      <SubjectLinks
        subject={{ kind: "file", file }}
        onShare={() => actions.share({ kind: "file", id: file.id, file })}
      />
      <VersionsSection
        file={file}
        onRestored={() => {}}
        onPreview={(version) => setOpened({ version, dialog: "preview" })}
        onDelete={(version) => setOpened({ version, dialog: "delete" })}
      />
      <SubjectActivity id={file.id} />
      {opened?.dialog === "preview" && (
        <VersionPreviewDialog
          file={file}
          version={opened.version}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.dialog === "delete" && (
        <DeleteVersionDialog
          file={file}
          version={opened.version}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

/** The digest and the response headers. */
function Content({ file, actions }: FileDetailsProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["file content", file.id, file.updatedAt],
    queryFn: async ({ signal }) => {
      const [{ sha256 }, metadata] = await Promise.all([
        holdall.files.digest(file.id, { signal }),
        holdall.files.metadata(file.id, { signal }),
      ]);
      return { sha256, headers: Object.entries(metadata) };
    },
  });
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-16" />
    ) : (
      <LoadError
        title="Couldn't load the digest and the headers"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      <DetailSection title="SHA-256">
        {data.sha256 === null ? (
          <p className="text-muted text-sm">Not computed yet: the scrub adds it.</p>
        ) : (
          <div className="flex items-start gap-2">
            <code className="min-w-0 break-all text-xs">{data.sha256}</code>
            <CopyButton text={data.sha256} label="SHA-256" />
          </div>
        )}
      </DetailSection>
      <DetailSection title="Response headers">
        {data.headers.length === 0 ? (
          <p className="text-muted text-sm">Only the defaults.</p>
        ) : (
          <DetailList items={data.headers} />
        )}
        <Button size="sm" className="self-start" onClick={() => actions.details(file)}>
          Edit headers…
        </Button>
      </DetailSection>
    </>
  );
}

const exactBytes = (size: number): string =>
  size > 999 ? ` (${size.toLocaleString()} bytes)` : "";

const exifItems = (exif: Exif): (readonly [string, string | undefined])[] => [
  ["Camera", exif.camera],
  ["Lens", exif.lens],
  ["Taken", exif.takenAt && formatTakenAt(exif.takenAt)],
  ["Exposure", exif.exposure === undefined ? undefined : formatExposure(exif.exposure)],
  ["Aperture", exif.aperture === undefined ? undefined : `f/${round(exif.aperture)}`],
  ["ISO", exif.iso === undefined ? undefined : `${exif.iso}`],
  ["Focal length", exif.focalLength === undefined ? undefined : `${round(exif.focalLength)} mm`],
  ["Place", formatPlace(exif)],
];
