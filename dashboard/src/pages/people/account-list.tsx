import { type ReactNode, useState } from "react";
import type { GrantObject, ListedAccountObject } from "../../../../sdk/src/people.ts";
import { useSession } from "../../app/session/session.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Input } from "../../components/fields/input.tsx";
import { formatCount } from "../../text/format-count.ts";
import { AccessDialog } from "./access-dialog.tsx";
import { AccountRow } from "./account-row.tsx";
import type { AccountTask } from "./account-task.ts";
import { ChangeAccountDialog } from "./change-account-dialog.tsx";
import { RemoveAccountDialog } from "./remove-account-dialog.tsx";
import { ResetAccountDialog } from "./reset-account-dialog.tsx";

/** Number of accounts from which the list has a search field. */
const SEARCH_FROM = 8;

export interface AccountListProps {
  readonly accounts: readonly ListedAccountObject[];
  readonly grants: readonly GrantObject[];
}

export function AccountList({ accounts, grants }: AccountListProps) {
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState<{ readonly id: string; readonly task: AccountTask }>();
  const self = useSession().data?.account.id;
  const needle = query.trim().toLowerCase();
  const matching = accounts.filter(
    ({ email, groups }) =>
      email.includes(needle) || groups.some((group) => group.toLowerCase().includes(needle)),
  );
  const account = accounts.find(({ id }) => id === open?.id);
  return (
    <section aria-labelledby="accounts" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="accounts" className="font-semibold">
          Accounts
        </h2>
        {accounts.length >= SEARCH_FROM && (
          <div className="flex flex-wrap items-center gap-3">
            <p role="status" className="text-muted text-sm">
              {matching.length < accounts.length
                ? `${matching.length} of ${formatCount(accounts.length, "account")}`
                : formatCount(accounts.length, "account")}
            </p>
            <Input
              type="search"
              aria-label="Search accounts"
              placeholder="Search by address or group"
              className="w-64! max-w-full"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </div>
        )}
      </div>
      {matching.length === 0 ? (
        <EmptyState
          title="No matching accounts"
          action={<Button onClick={() => setQuery("")}>Show all accounts</Button>}
        >
          <p>No account matches “{query.trim()}”.</p>
        </EmptyState>
      ) : (
        <Card>
          <ul>
            {matching.map((each) => (
              <AccountRow
                key={each.id}
                account={each}
                grants={grants.filter(({ accountId }) => accountId === each.id)}
                isSelf={each.id === self}
                onOpen={(task) => setOpen({ id: each.id, task })}
              />
            ))}
          </ul>
        </Card>
      )}
      {open && account && dialogOf(open.task, account, grants, () => setOpen(undefined))}
    </section>
  );
}

function dialogOf(
  task: AccountTask,
  account: ListedAccountObject,
  grants: readonly GrantObject[],
  onClose: () => void,
): ReactNode {
  switch (task) {
    case "access":
      return (
        <AccessDialog
          grantee={{ accountId: account.id }}
          name={account.email}
          grants={grants.filter(({ accountId }) => accountId === account.id)}
          onClose={onClose}
        />
      );
    case "password":
    case "secondFactor":
      return <ResetAccountDialog account={account} what={task} onClose={onClose} />;
    case "remove":
      return <RemoveAccountDialog account={account} onClose={onClose} />;
    default:
      return <ChangeAccountDialog account={account} task={task} onClose={onClose} />;
  }
}
