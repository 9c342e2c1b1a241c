import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { InviteObject } from "../../../../sdk/src/people.ts";
import { holdall } from "../../app/connection/client.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatTimeUntil } from "../../text/format-duration.ts";
import { formatFullTimestamp, parseTimestamp } from "../../text/timestamp.ts";
import { grantText } from "./grant-access.ts";
import { FolderLink } from "./grant-summary.tsx";
import { people, usePeopleChange } from "./use-people.ts";

/** Invitations that nobody has accepted yet. */
export function InviteList({ invites }: { readonly invites: readonly InviteObject[] }) {
  const [withdrawn, setWithdrawn] = useState<InviteObject>();
  return (
    <section aria-labelledby="invitations" className="flex flex-col gap-3">
      <h2 id="invitations" className="font-semibold">
        Open invitations
      </h2>
      <Card>
        <ul>
          {invites.map((invite) => (
            <InviteRow key={invite.id} invite={invite} onWithdraw={() => setWithdrawn(invite)} />
          ))}
        </ul>
      </Card>
      {withdrawn && <WithdrawDialog invite={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </section>
  );
}

interface InviteRowProps {
  readonly invite: InviteObject;
  readonly onWithdraw: () => void;
}

function InviteRow({ invite, onWithdraw }: InviteRowProps) {
  const { role, grants, invitedBy, createdAt, expiresAt } = invite;
  const left = parseTimestamp(expiresAt).getTime() - Date.now();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="font-medium">{role === "owner" ? "Owner" : "Member"}</p>
        {grants.length > 0 && (
          <ul className="text-sm">
            {grants.map(({ folderId, actions }) => (
              <li key={folderId} className="wrap-anywhere">
                <FolderName id={folderId} />: {grantText(actions)}
              </li>
            ))}
          </ul>
        )}
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          <span className="wrap-anywhere">
            Created <Timestamp at={createdAt} />
            {invitedBy !== null && (
              <>
                {" "}
                by <bdi>{invitedBy}</bdi>
              </>
            )}
          </span>
          <span title={formatFullTimestamp(expiresAt)}>Expires {formatTimeUntil(left)}</span>
        </p>
      </div>
      <Button size="sm" aria-label={`Withdraw the invitation of ${createdAt}`} onClick={onWithdraw}>
        Withdraw…
      </Button>
    </li>
  );
}

function FolderName({ id }: { readonly id: string }) {
  const { data, isError } = useQuery({
    queryKey: ["subfolders", "of id", id],
    queryFn: ({ signal }) => holdall.folders.browse({ id }, { limit: 0, signal }),
    staleTime: 60_000,
    retry: false,
  });
  if (isError) return <span className="text-bad">A deleted folder</span>;
  return data === undefined ? "…" : <FolderLink folder={data.folder} />;
}

interface WithdrawDialogProps {
  readonly invite: InviteObject;
  readonly onClose: () => void;
}

function WithdrawDialog({ invite, onClose }: WithdrawDialogProps) {
  const withdraw = usePeopleChange(
    () => people.removeInvite(invite.id),
    () => {
      onClose();
      showToast("Withdrew the invitation.");
    },
  );
  return (
    <ConfirmDialog
      title="Withdraw this invitation?"
      confirmLabel="Withdraw"
      busy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate(undefined)}
      onClose={onClose}
    >
      <p>Its link stops working at once. You can create another one.</p>
    </ConfirmDialog>
  );
}
