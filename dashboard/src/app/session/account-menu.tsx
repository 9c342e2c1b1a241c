import { ChevronsUpDown } from "lucide-react";
import { Menu } from "../../components/menus/menu.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { lazyComponent } from "../lazy-component.tsx";
import { useSession } from "./session.ts";

const AccountMenuList = lazyComponent(
  async () => (await import("./account-menu-list.tsx")).AccountMenuList,
);

export interface AccountMenuProps {
  /** Whether there is only room for the first letter of the address. */
  readonly isNarrow: boolean;
}

/** The signed-in account, and its menu. */
export function AccountMenu({ isNarrow }: AccountMenuProps) {
  const { data } = useSession();
  if (data === undefined) return <Skeleton className="h-11" />;
  const { email } = data.account;
  return (
    <Menu
      label="Account"
      List={AccountMenuList}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          data-tooltip={isNarrow ? email : undefined}
          className={`flex h-11 items-center gap-2.5 rounded-md text-left transition-colors hover:bg-press ${isNarrow ? "justify-center" : "px-2"}`}
        >
          <span
            aria-hidden
            data-letter={email.slice(0, 1)}
            className="grid size-7 flex-none place-items-center rounded-full bg-accent-soft font-semibold text-accent text-xs uppercase before:content-[attr(data-letter)]"
          />
          <span className="sr-only">Account </span>
          <span className={isNarrow ? "sr-only" : "min-w-0 flex-1 truncate text-sm"}>{email}</span>
          {!isNarrow && <ChevronsUpDown aria-hidden className="size-3.5 flex-none text-faint" />}
        </button>
      )}
    />
  );
}
