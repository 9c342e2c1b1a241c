import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { patchFiles } from "../data/patch-folders.ts";
import { Digest } from "../details/digest.tsx";
import { FileFacts } from "../details/file-facts.tsx";
import { useFileContent } from "../details/use-file-content.ts";
import { useVersionDialogs } from "../versions/use-version-dialogs.tsx";
import { VersionsSection } from "../versions/versions-section.tsx";
import { changesOf, draftOf, type MetadataDraft } from "./metadata-draft.ts";
import { MetadataFields } from "./metadata-fields.tsx";

export interface DetailsDialogProps {
  readonly file: FileObject;
  readonly onClose: () => void;
}

/** Shows everything that is known about a file, edits its metadata, and lists its versions. */
export function DetailsDialog({ file: opened, onClose }: DetailsDialogProps) {
  const client = useQueryClient();
  const [file, setFile] = useState(opened);
  const [versionDialogs, versionDialog] = useVersionDialogs(file);
  const [edited, setEdited] = useState<MetadataDraft>();
  const details = useFileContent(file);
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
        <FileFacts
          file={file}
          more={[["SHA-256", data && <Digest key="digest" sha256={data.sha256} />]]}
        />
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
        <VersionsSection file={file} onRestored={setFile} {...versionDialogs} />
      </Dialog>
      {versionDialog}
    </>
  );
}
