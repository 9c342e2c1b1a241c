import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useEffect, useState } from "react";
import type { ListedAccountObject } from "../../../../sdk/src/people.ts";
import { redirectTo, useQueryString, withBasePath } from "../../app/navigation/location.ts";
import { useSession } from "../../app/session/session.ts";
import { settingsQuery } from "../../app/session/settings-query.ts";
import { providerName } from "../../app/session/sign-in-methods.ts";
import { Button } from "../../components/button.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { SettingsForm } from "../settings/settings-form.tsx";
import { AccountList } from "./account-list.tsx";
import { GroupList } from "./group-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { InviteList } from "./invite-list.tsx";
import { accountsQuery, grantsQuery, invitesQuery } from "./use-people.ts";

/** Accounts, invitations, and who may do what in which folder. For owners. */
export function PeoplePage() {
  const query = useQueryString();
  const self = useSession().data?.account.id;
  const [isInviting, setInviting] = useState(query === "?invite");
  useEffect(() => {
    // A reload shows the page.
    if (query !== "") redirectTo("/people");
  }, [query]);
  const accounts = useQuery(accountsQuery);
  const grants = useQuery(grantsQuery);
  const invites = useQuery(invitesQuery);
  const error = accounts.error ?? grants.error ?? invites.error;
  const isLoaded = accounts.data !== undefined && grants.data !== undefined && invites.data;

  return (
    <Page
      title="People"
      description={
        <>
          Everybody has an account of their own. Members see only the folders that you give them.{" "}
          <a
            href={withBasePath("/docs/people")}
            target="_blank"
            rel="noopener"
            className="text-accent underline underline-offset-4"
          >
            How it works
          </a>
        </>
      }
      actions={
        <Button variant="primary" Icon={UserPlus} onClick={() => setInviting(true)}>
          Invite somebody
        </Button>
      }
    >
      {isLoaded ? (
        <>
          <AccountList accounts={accounts.data} grants={grants.data} />
          {invites.data.length > 0 && <InviteList invites={invites.data} />}
          {(providerName !== undefined || grants.data.some(({ group }) => group !== null)) && (
            <GroupList grants={grants.data} />
          )}
          <SignInPanel self={accounts.data.find(({ id }) => id === self)} />
        </>
      ) : error === null ? (
        <div className="flex flex-col gap-2" aria-busy="true">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} className="h-22" />
          ))}
        </div>
      ) : (
        <LoadError
          title="Couldn't load the accounts"
          error={error}
          onRetry={() => {
            for (const each of [accounts, grants, invites]) void each.refetch();
          }}
        />
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

/** Whether everybody needs a second factor. */
function SignInPanel({ self }: { readonly self: ListedAccountObject | undefined }) {
  const { data } = useQuery(settingsQuery);
  const isProtected = self !== undefined && (self.hasSecondFactor || self.passkeys > 0);
  return (
    <Panel title="Signing in">
      {data ? (
        <>
          <SettingsForm settings={data} names={["requireSecondFactor"]} />
          {!isProtected && !data.requireSecondFactor.value && (
            <Notice tone="info">
              Your own account has no second factor yet: once you require one, you set it up next.
            </Notice>
          )}
        </>
      ) : (
        <Skeleton className="h-18" />
      )}
    </Panel>
  );
}
