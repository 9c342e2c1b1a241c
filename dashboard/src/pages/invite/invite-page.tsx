import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { peopleOf } from "../../../../sdk/src/people.ts";
import { instanceName } from "../../app/brand.ts";
import { holdall, isStatus } from "../../app/connection/client.ts";
import { Link } from "../../app/navigation/link.tsx";
import { sessionState } from "../../app/session/session-state.ts";
import { passwordSignsIn, providerName } from "../../app/session/sign-in-methods.ts";
import { useToken } from "../../app/session/use-token.ts";
import { Button } from "../../components/button.tsx";
import { CenteredPage } from "../../components/centered-page.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { formatFullTimestamp } from "../../text/timestamp.ts";
import { InviteForm } from "./invite-form.tsx";
import { ProviderAccept } from "./provider-accept.tsx";

/** How the page calls the instance. */
const place = instanceName === "Holdall" ? location.host : instanceName;

/** The page of an invitation's link: `/invite#token`. */
export function InvitePage() {
  const token = useToken();
  const [goneToken, setGoneToken] = useState<string>();
  const invite = useQuery({
    queryKey: ["invite", token],
    queryFn: ({ signal }) => peopleOf(holdall).readInvite(token, { signal }),
    enabled: token !== "",
    meta: { handlesUnauthorized: true },
  });
  const onGone = () => setGoneToken(token);

  if (token === "") {
    return (
      <Problem title="This link is incomplete">
        Open the whole link that you were sent, or ask for it again.
      </Problem>
    );
  }
  if (isStatus(invite.error, 410) || goneToken === token) {
    return (
      <Problem title="This invitation has ended">
        It was accepted or withdrawn, or it has expired. Ask for a new one.
      </Problem>
    );
  }
  if (invite.error) {
    return (
      <CenteredPage title="Invitation">
        <Notice tone="bad">{invite.error.message}</Notice>
        <Button busy={invite.isFetching} onClick={() => void invite.refetch()}>
          Try again
        </Button>
      </CenteredPage>
    );
  }
  if (invite.data === undefined) {
    return (
      <CenteredPage title={`Join ${place}`}>
        <Skeleton className="h-72" />
      </CenteredPage>
    );
  }
  const { role, invitedBy, expiresAt } = invite.data;
  return (
    <CenteredPage
      title={`Join ${place}`}
      description={
        <>
          {invitedBy === null ? "You are invited" : <bdi className="break-all">{invitedBy}</bdi>}
          {invitedBy === null ? "" : " invites you"}
          {role === "owner"
            ? " as an owner, who may do everything."
            : " to share files and folders."}{" "}
          Create your account to start.
        </>
      }
    >
      {sessionState() === "active" && (
        <Notice tone="info">
          This browser is signed in already. The new account takes the place of that session.
        </Notice>
      )}
      {passwordSignsIn && <InviteForm token={token} onGone={onGone} />}
      {providerName !== undefined && (
        <ProviderAccept token={token} name={providerName} isMain={!passwordSignsIn} />
      )}
      <p className="text-center text-muted text-sm">
        The invitation works once, until {formatFullTimestamp(expiresAt)}.
      </p>
    </CenteredPage>
  );
}

const Problem = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <CenteredPage title={title} description={children}>
    <p className="text-center">
      <Link to="/sign-in" className="font-medium text-accent underline underline-offset-4">
        I have an account: sign in
      </Link>
    </p>
  </CenteredPage>
);
