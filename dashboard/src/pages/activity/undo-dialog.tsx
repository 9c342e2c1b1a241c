import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { undoOf } from "../../../../sdk/src/undo.ts";
import { holdall } from "../../app/connection/client.ts";
import { useSession } from "../../app/session/session.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { Field } from "../../components/fields/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../text/format-count.ts";
import { showUndone } from "./show-undone.ts";
import { UndoReport } from "./undo-report.tsx";
import { localInputOf, timeOfInput } from "./undo-time.ts";
import type { ActorOption } from "./use-actors.ts";

const HOUR_MS = 3_600_000;

export interface UndoDialogProps {
  readonly actor: ActorOption;
  readonly onClose: () => void;
}

/** Undoes everything that somebody did since a time, and shows first what that would be. */
export function UndoDialog({ actor, onClose }: UndoDialogProps) {
  const client = useQueryClient();
  const session = useSession();
  const [since, setSince] = useState(() => localInputOf(new Date(Date.now() - HOUR_MS)));
  const [folder, setFolder] = useState("");
  const time = timeOfInput(since);
  const request = () => ({
    by: actor.id,
    since: time ?? new Date(),
    ...(folder.trim() === "" ? {} : { folder: folder.trim() }),
  });
  const preview = useMutation({ mutationFn: () => undoOf(holdall).preview(request()) });
  const undo = useMutation({
    mutationFn: () => undoOf(holdall).run(request()),
    onSuccess: async (undone) => {
      onClose();
      showUndone(client, session.data?.account.id, undone);
      await client.invalidateQueries();
    },
  });
  const report = preview.data;
  const error = undo.error ?? preview.error;

  /** A preview is about the fields that it was made for. */
  function change(set: (text: string) => void, text: string): void {
    set(text);
    preview.reset();
    undo.reset();
  }

  return (
    <Dialog
      title={`Undo everything that ${actor.name} did`}
      onClose={onClose}
      onSubmit={() => {
        if (time === undefined || preview.isPending || undo.isPending) return;
        if (report === undefined) preview.mutate();
        else if (report.total > 0) undo.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {report === undefined ? (
            <Button type="submit" variant="primary" busy={preview.isPending}>
              Show what would be undone
            </Button>
          ) : (
            <Button
              type="submit"
              variant="danger"
              busy={undo.isPending}
              disabled={report.total === 0}
            >
              {`Undo ${formatCount(report.total, "change")}`}
            </Button>
          )}
        </>
      }
    >
      <p className="text-muted text-sm">
        Deleted files come back from the trash, and replaced content, names, places, visibility and
        headers are as before. Uploaded files stay, and nothing is overwritten.
      </p>
      <Field
        label="Since"
        type="datetime-local"
        required
        value={since}
        onChange={({ target }) => change(setSince, target.value)}
      />
      <Field
        label="In folder"
        hint="Leave empty for all folders."
        placeholder="photos/2026"
        value={folder}
        onChange={({ target }) => change(setFolder, target.value)}
      />
      {report && <UndoReport report={report} />}
      {error && <Notice tone="bad">{error.message}</Notice>}
    </Dialog>
  );
}
