import { useQuery } from "@tanstack/react-query";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { Button } from "../../../components/button.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { canAll } from "../../../rights/rights.ts";
import type { FilesActions } from "../actions/files-actions.ts";
import { NEEDS } from "../actions/needs.ts";
import { entryOfFile } from "../data/entry.ts";
import { Thumbnail } from "../grid/thumbnail.tsx";
import { useVersionDialogs } from "../versions/use-version-dialogs.tsx";
import { VersionsSection } from "../versions/versions-section.tsx";
import { DetailList, DetailSection } from "./detail-list.tsx";
import { Digest } from "./digest.tsx";
import { FileEnd } from "./file-end.tsx";
import { FileFacts } from "./file-facts.tsx";
import { FileUrl } from "./file-url.tsx";
import {
  formatExposure,
  formatPlace,
  formatPlayTime,
  formatTakenAt,
  round,
} from "./format-facts.ts";
import type { Exif } from "./read-exif.ts";
import { readMediaFacts } from "./read-media-facts.ts";
import { readSubjectActivity } from "./read-subject-activity.ts";
import { SubjectActivity } from "./subject-activity.tsx";
import { SubjectLinks } from "./subject-links.tsx";
import { useFileContent } from "./use-file-content.ts";

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
  const [versionDialogs, versionDialog] = useVersionDialogs(file);
  const { width, height, duration, exif } = facts ?? {};
  return (
    <div className="flex flex-col gap-6 p-4">
      <div className="flex flex-col gap-3">
        {/* The preview shows the file itself. */}
        <div className="grid h-40 grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden rounded-lg border border-line bg-hover in-data-preview:hidden">
          <Thumbnail entry={entryOfFile(file)} peek={[]} />
        </div>
        <p className="break-words font-semibold">
          <bdi>{file.name}</bdi>
        </p>
      </div>
      <FileFacts
        file={file}
        more={[
          ["Dimensions", width && height && `${width} × ${height} px`],
          ["Duration", duration && formatPlayTime(duration)],
        ]}
      />
      {exif && Object.keys(exif).length > 0 && (
        <DetailSection title="Photo">
          <DetailList items={exifItems(exif)} />
        </DetailSection>
      )}
      <FileEnd file={file} />
      <FileUrl file={file} onEmbed={() => actions.embed(file)} />
      <Content file={file} actions={actions} />
      {canAll(NEEDS.share) && (
        <SubjectLinks
          subject={{ kind: "file", file }}
          onShare={() => actions.share({ kind: "file", id: file.id, file })}
        />
      )}
      <VersionsSection file={file} onRestored={() => {}} {...versionDialogs} />
      <SubjectActivity subject={file} read={readSubjectActivity} />
      {versionDialog}
    </div>
  );
}

/** The digest and the response headers. */
function Content({ file, actions }: FileDetailsProps) {
  const { data, error, refetch } = useFileContent(file);
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
  const headers = Object.entries(data.metadata);
  return (
    <>
      <DetailSection title="SHA-256">
        <Digest sha256={data.sha256} />
      </DetailSection>
      <DetailSection title="Response headers">
        {headers.length === 0 ? (
          <p className="text-muted text-sm">Only the defaults.</p>
        ) : (
          <DetailList items={headers} />
        )}
        <Button
          size="sm"
          needs={NEEDS.write}
          className="self-start"
          onClick={() => actions.headers(file)}
        >
          Edit headers…
        </Button>
      </DetailSection>
    </>
  );
}

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
