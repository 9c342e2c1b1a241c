import { ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Menu } from "../components/menus/menu.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { appliedTheme, onThemeChange, setTheme } from "../theme/choice.ts";
import { navigateTo } from "./location.ts";
import { useSession, useSignOut } from "./session.ts";
import { showShortcutHelp } from "./shortcuts/shortcut-help-store.ts";

const THEME_CHOICES = [
  { theme: "light", label: "Light theme", Icon: Sun },
  { theme: "dark", label: "Dark theme", Icon: Moon },
  { theme: "system", label: "System theme", Icon: Monitor },
] as const;

export interface AccountMenuProps {
  /** Whether there is only room for the first letter of the address. */
  readonly isNarrow: boolean;
}

/** The signed-in account: the settings, the theme, and signing out. */
export function AccountMenu({ isNarrow }: AccountMenuProps) {
  const current = useSyncExternalStore(onThemeChange, appliedTheme);
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
        ...THEME_CHOICES.map(({ theme, label, Icon }, index) => ({
          label,
          Icon,
          isChecked: theme === current,
          separated: index === 0,
          onSelect: () => setTheme(theme),
        })),
        { label: "Sign out", Icon: LogOut, separated: true, onSelect: () => signOut.mutate() },
      ]}
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
