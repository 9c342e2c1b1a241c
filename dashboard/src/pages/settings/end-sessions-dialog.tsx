import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SessionObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { say } from "../../components/toast-store.ts";
import { countText } from "../../text/count.ts";
import { deviceText } from "./device-text.ts";

export interface EndSessionsDialogProps {
  /** The one to end; undefined: every one but this. */
  readonly session: SessionObject | undefined;
  /** How many others there are. */
  readonly others: number;
  readonly onClose: () => void;
}

export function EndSessionsDialog({ session, others, onClose }: EndSessionsDialogProps) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: async () => {
      if (session === undefined) return holdall.account.endOtherSessions();
      await holdall.account.endSession(session.id);
      return 1;
    },
    onSuccess: async (ended) => {
      onClose();
      say(`Ended ${countText(ended, session === undefined ? "other session" : "session")}.`);
      await client.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <ConfirmDialog
      title={
        session === undefined
          ? `End ${countText(others, "other session")}?`
          : `End the session of ${deviceText(session.userAgent)}?`
      }
      verb={session === undefined ? "End all others" : "End session"}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>
        {session === undefined
          ? "Everywhere but here, the password is asked for again."
          : `At ${session.address} the password is asked for again.`}
      </p>
      <p>If you do not know where it comes from, change your password as well.</p>
    </ConfirmDialog>
  );
}
