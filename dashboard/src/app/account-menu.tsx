import { ChevronsUpDown, Keyboard, LogOut, Settings } from "lucide-react";
import { Menu } from "../components/menu.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { navigateTo } from "./location.ts";
import { useSession, useSignOut } from "./session.ts";
import { showShortcutHelp } from "./shortcut-help-store.ts";

/** Shows the signed-in account, with links to the settings and to sign out. */
export function AccountMenu() {
  const { data } = useSession();
  const signOut = useSignOut();
  if (data === undefined) return <Skeleton className="h-11" />;
  const { email } = data.account;
  return (
    <Menu
      label="Account"
      items={[
        { label: "Settings", Icon: Settings, onSelect: () => navigateTo("/settings") },
        { label: "Keyboard shortcuts", Icon: Keyboard, shortcut: "?", onSelect: showShortcutHelp },
        { label: "Sign out", Icon: LogOut, onSelect: () => signOut.mutate() },
      ]}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className="flex h-11 items-center gap-2.5 rounded-md px-2 text-left transition-colors hover:bg-press"
        >
          <span
            aria-hidden
            data-letter={email.slice(0, 1)}
            className="grid size-7 flex-none place-items-center rounded-full bg-accent-soft font-semibold text-accent text-xs uppercase before:content-[attr(data-letter)]"
          />
          <span className="sr-only">Account </span>
          <span className="min-w-0 flex-1 truncate text-sm">{email}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 flex-none text-faint" />
        </button>
      )}
    />
  );
}
