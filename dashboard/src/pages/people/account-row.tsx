import {
  CircleCheck,
  CircleSlash,
  Ellipsis,
  KeyRound,
  ShieldOff,
  UserCog,
  UserMinus,
} from "lucide-react";
import type { GrantObject, ListedAccountObject } from "../../../../sdk/src/people.ts";
import { Link } from "../../app/navigation/link.tsx";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Menu } from "../../components/menus/menu.tsx";
import type { MenuItem } from "../../components/menus/menu-item.ts";
import { Timestamp } from "../../components/timestamp.tsx";
import type { AccountTask } from "./account-task.ts";
import { GrantSummary } from "./grant-summary.tsx";

export interface AccountRowProps {
  readonly account: ListedAccountObject;
  /** The grants of the account itself, without those of its groups. */
  readonly grants: readonly GrantObject[];
  /** It is the account of the session. */
  readonly isSelf: boolean;
  readonly onOpen: (task: AccountTask) => void;
}

/** `content-visibility` skips the layout of rows out of view, so hundreds stay fast. */
export function AccountRow({ account, grants, isSelf, onOpen }: AccountRowProps) {
  const { id, email, role, disabledAt, hasSecondFactor, passkeys, groups, lastSeenAt } = account;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 [contain-intrinsic-size:auto_5.75rem] [content-visibility:auto] first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="wrap-anywhere font-medium">{email}</bdi>
          {role === "owner" && <Badge tone="accent">Owner</Badge>}
          {isSelf && <Badge>You</Badge>}
          {disabledAt !== null && (
            <Badge tone="bad">
              Disabled <Timestamp at={disabledAt} />
            </Badge>
          )}
        </div>
        {role === "owner" ? (
          <p className="text-sm">Everything, also people and settings</p>
        ) : (
          <GrantSummary grants={grants} hasGroups={groups.length > 0} />
        )}
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          <span>
            {lastSeenAt === null ? (
              "Not signed in"
            ) : (
              <>
                Last seen <Timestamp at={lastSeenAt} length="long" />
              </>
            )}
          </span>
          <span>{protectionText({ hasSecondFactor, passkeys })}</span>
          {groups.length > 0 && (
            <span className="wrap-anywhere min-w-0">
              {groups.length === 1 ? "Group" : "Groups"}: <bdi>{groups.join(", ")}</bdi>
            </span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link
          to={`/activity?actor=${encodeURIComponent(id)}`}
          aria-label={`Activity of ${email}`}
          className="rounded-sm text-muted text-sm underline-offset-4 hover:text-ink hover:underline"
        >
          Activity
        </Link>
        {role === "member" && (
          <Button size="sm" aria-label={`Access of ${email}`} onClick={() => onOpen("access")}>
            Access…
          </Button>
        )}
        {!isSelf && (
          <Menu
            label={`Manage ${email}`}
            items={itemsFor(account, onOpen)}
            trigger={(props) => (
              <IconButton
                label={`Manage ${email}`}
                data-tooltip="Manage"
                Icon={Ellipsis}
                {...props}
              />
            )}
          />
        )}
      </div>
    </li>
  );
}

function protectionText(
  account: Pick<ListedAccountObject, "hasSecondFactor" | "passkeys">,
): string {
  if (account.passkeys > 0 && account.hasSecondFactor) return "Two-step sign-in and a passkey";
  if (account.passkeys > 0) return "Passkey";
  return account.hasSecondFactor ? "Two-step sign-in" : "No second factor";
}

function itemsFor(
  { role, disabledAt, hasPassword, hasSecondFactor, passkeys }: ListedAccountObject,
  onOpen: (task: AccountTask) => void,
): MenuItem[] {
  const item = (label: string, Icon: MenuItem["Icon"], task: AccountTask): MenuItem => ({
    label,
    ...(Icon && { Icon }),
    onSelect: () => onOpen(task),
  });
  const hasFactor = hasSecondFactor || passkeys > 0;
  return [
    item(role === "owner" ? "Make a member…" : "Make an owner…", UserCog, "role"),
    item(hasPassword ? "Reset password…" : "Set a password…", KeyRound, "password"),
    ...(hasFactor ? [item("Remove second factor…", ShieldOff, "secondFactor")] : []),
    disabledAt === null
      ? item("Disable…", CircleSlash, "disable")
      : item("Enable…", CircleCheck, "enable"),
    { ...item("Remove…", UserMinus, "remove"), tone: "danger", separated: true },
  ];
}
