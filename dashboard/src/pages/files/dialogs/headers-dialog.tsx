import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { patchFiles } from "../data/patch-folders.ts";
import { useFileContent } from "../details/use-file-content.ts";
import { changesOf, draftOf, type MetadataDraft } from "./metadata-draft.ts";
import { MetadataFields } from "./metadata-fields.tsx";

export interface HeadersDialogProps {
  readonly file: FileObject;
  readonly onClose: () => void;
}

/** Edits the headers that are sent with a file. */
export function HeadersDialog({ file, onClose }: HeadersDialogProps) {
  const client = useQueryClient();
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
    <Dialog
      wide
      title={
        <>
          Headers of “<bdi className="break-all">{file.name}</bdi>”
        </>
      }
      onClose={onClose}
      onSubmit={() => (changes === null ? onClose() : save.mutate())}
      footer={
        <>
          <Button onClick={onClose}>{changes === null ? "Close" : "Cancel"}</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={changes === null}>
            Save headers
          </Button>
        </>
      }
    >
      <section className="flex flex-col gap-4">
        <p className="text-muted text-sm">
          Sent with the file. Browsers and proxies may keep using what they have cached.
        </p>
        {details.error && (
          <LoadError
            title="Couldn't load the headers"
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
    </Dialog>
  );
}
