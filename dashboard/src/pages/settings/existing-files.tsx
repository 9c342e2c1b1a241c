import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Visibility } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";
import { refreshFolders } from "../files/data/patch-folders.ts";
import { useFolderVisibility } from "../files/data/use-folder-visibility.ts";
import { useVisibilityCounts } from "../files/data/use-visibility-counts.ts";

/** Says what the files of the instance are, and offers to give all of them the default visibility. */
export function ExistingFiles({ visibility }: { readonly visibility: Visibility }) {
  const root = useFolderVisibility("").data?.folder.id;
  const counts = useVisibilityCounts(root === undefined ? [] : [root]);
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (id: string) => holdall.folders.setVisibility(id, visibility),
    async onSuccess() {
      setAsking(false);
      showToast(`All files are ${visibility} now.`);
      await refreshFolders(client);
    },
  });
  if (root === undefined || counts.data === undefined) return null;
  const { files, folders } = counts.data;
  const other = visibility === "public" ? "private" : "public";
  const count = formatCount(files[other], `${other} file`);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm">
      <p>
        All files now: {files.public.toLocaleString()} public, {files.private.toLocaleString()}{" "}
        private.
      </p>
      {files[other] > 0 && (
        <Button size="sm" onClick={() => setAsking(true)}>
          Make {count} {visibility}…
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Make ${count} ${visibility}?`}
          confirmLabel={`Make ${visibility}`}
          tone="primary"
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(root)}
          onClose={() => setAsking(false)}
        >
          <p>
            {visibility === "private"
              ? "Their URLs will stop working for everyone without an account, an API key or a link."
              : "Anyone with their URLs will be able to open them."}
          </p>
          {folders[other] > 0 && (
            <p>
              This includes the files in {formatCount(folders[other], "folder")} whose new files are{" "}
              {other}. Later uploads there stay {other}.
            </p>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}
