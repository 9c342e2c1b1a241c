import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { FileMetadata, FileObject, FileVersion } from "../../../../../sdk/src/holdall.ts";
import { formatBytes } from "../../../../../server/rules/format-bytes.ts";
import { holdall } from "../../../app/client.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
import { patchFiles } from "../data/patch-folders.ts";
import { DeleteVersionDialog } from "../versions/delete-version-dialog.tsx";
import { VersionPreviewDialog } from "../versions/version-preview-dialog.tsx";
import { VersionsSection } from "../versions/versions-section.tsx";
import { VisibilityMark } from "../visibility-mark.tsx";
import { changesOf, draftOf, type MetadataDraft } from "./metadata-draft.ts";
import { MetadataFields } from "./metadata-fields.tsx";

export interface DetailsDialogProps {
  readonly file: FileObject;
  readonly onClose: () => void;
}

interface Details {
  readonly sha256: string | null;
  readonly metadata: FileMetadata;
}

interface ChosenVersion {
  readonly version: FileVersion;
  readonly dialog: "preview" | "delete";
}

/** Shows everything that is known about a file, edits its metadata, and lists its versions. */
export function DetailsDialog({ file: opened, onClose }: DetailsDialogProps) {
  const client = useQueryClient();
  const [file, setFile] = useState(opened);
  const [version, setVersion] = useState<ChosenVersion>();
  const [edited, setEdited] = useState<MetadataDraft>();
  const details = useQuery<Details>({
    queryKey: ["file details", file.id],
    queryFn: async ({ signal }) => {
      const [{ sha256 }, metadata] = await Promise.all([
        holdall.files.digest(file.id, { signal }),
        holdall.files.metadata(file.id, { signal }),
      ]);
      return { sha256, metadata };
    },
    // The form starts with what the server has now.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { data } = details;
  const draft = edited ?? (data && draftOf(data.metadata));
  const changes = data && draft ? changesOf(data.metadata, draft) : null;
  const save = useMutation({
    mutationFn: () => holdall.files.update(file.id, { metadata: changes }),
    onSuccess: (changed) => {
      patchFiles(client, [changed]);
      showToast("Headers saved.");
      onClose();
    },
  });

  return (
    <>
      <Dialog
        wide
        title={
          <>
            Details of “<bdi className="break-all">{file.name}</bdi>”
          </>
        }
        onClose={onClose}
        onSubmit={() => (changes === null ? onClose() : save.mutate())}
        footer={
          <>
            <Button onClick={onClose}>{changes === null ? "Close" : "Cancel"}</Button>
            <Button
              type="submit"
              variant="primary"
              busy={save.isPending}
              disabled={changes === null}
            >
              Save headers
            </Button>
          </>
        }
      >
        <dl className="grid items-baseline gap-x-4 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
          <Row label="Path">{file.key}</Row>
          <Row label="Type">{file.mimeType}</Row>
          <Row label="Size">
            {formatBytes(file.size)}
            {file.size >= 1000 && ` (${file.size.toLocaleString()} bytes)`}
          </Row>
          <Row label="Visibility">
            <VisibilityMark visibility={file.visibility} className="text-sm!" />
          </Row>
          <Row label="Created">{formatFullTimestamp(file.createdAt)}</Row>
          <Row label="Modified">{formatFullTimestamp(file.updatedAt)}</Row>
          <Row label="SHA-256">
            <Digest details={data} />
          </Row>
        </dl>
        <section className="flex flex-col gap-4">
          <div>
            <h3 className="font-semibold">Response headers</h3>
            <p className="text-muted text-sm">
              Sent with the file. Browsers and proxies may keep using what they have cached.
            </p>
          </div>
          {details.error && (
            <LoadError
              title="The details could not be loaded"
              error={details.error}
              onRetry={() => void details.refetch()}
            />
          )}
          {details.isPending && <Skeleton className="h-40" />}
          {draft && (
            <MetadataFields
              draft={draft}
              isPrivate={file.visibility === "private"}
              onChange={setEdited}
            />
          )}
          {save.error && <Notice tone="bad">{save.error.message}</Notice>}
        </section>
        <VersionsSection
          file={file}
          onRestored={setFile}
          onPreview={(shown) => setVersion({ version: shown, dialog: "preview" })}
          onDelete={(deleted) => setVersion({ version: deleted, dialog: "delete" })}
        />
      </Dialog>
      {version?.dialog === "preview" && (
        <VersionPreviewDialog
          file={file}
          version={version.version}
          onClose={() => setVersion(undefined)}
        />
      )}
      {version?.dialog === "delete" && (
        <DeleteVersionDialog
          file={file}
          version={version.version}
          onClose={() => setVersion(undefined)}
        />
      )}
    </>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted max-sm:mt-1">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

function Digest({ details }: { readonly details: Details | undefined }) {
  if (details === undefined) return <Skeleton className="h-5 w-full" />;
  if (details.sha256 === null) return "Not computed yet: the scrub adds it.";
  return (
    <span className="flex flex-wrap items-baseline gap-2">
      <code className="min-w-0 break-all text-xs">{details.sha256}</code>
      <CopyButton text={details.sha256} label="SHA-256" />
    </span>
  );
}
