import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SessionObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";
import { describeDevice } from "./describe-device.ts";

export interface EndSessionsDialogProps {
  /** The session to end; undefined for all others. */
  readonly session: SessionObject | undefined;
  /** The number of other sessions. */
  readonly others: number;
  readonly onClose: () => void;
}

export function EndSessionsDialog({ session, others, onClose }: EndSessionsDialogProps) {
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: async () => {
      if (session === undefined) return holdall.account.endOtherSessions();
      await holdall.account.endSession(session.id);
      return 1;
    },
    onSuccess: async (ended) => {
      onClose();
      showToast(
        `Signed out ${formatCount(ended, session === undefined ? "other session" : "session")}.`,
      );
      await client.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <ConfirmDialog
      title={
        session === undefined
          ? `Sign out ${formatCount(others, "other session")}?`
          : `Sign out ${describeDevice(session.userAgent)}?`
      }
      confirmLabel={session === undefined ? "Sign out all others" : "Sign out"}
      busy={signOut.isPending}
      error={signOut.error}
      onConfirm={() => signOut.mutate()}
      onClose={onClose}
    >
      <p>
        {session === undefined
          ? "All other devices will have to sign in again."
          : `The device at ${session.address} will have to sign in again.`}
      </p>
      <p>If you don't recognise it, change your password too.</p>
    </ConfirmDialog>
  );
}
