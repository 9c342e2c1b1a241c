import { Keyboard, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { MenuList, type MenuListProps } from "../../components/menus/menu-list.tsx";
import { appliedTheme, onThemeChange, setTheme } from "../../theme/choice.ts";
import { navigateTo } from "../navigation/location.ts";
import { showShortcutHelp } from "../shortcuts/shortcut-help-store.ts";
import { useSignOut } from "./session.ts";

const THEME_CHOICES = [
  { theme: "light", label: "Light theme", Icon: Sun },
  { theme: "dark", label: "Dark theme", Icon: Moon },
  { theme: "system", label: "System theme", Icon: Monitor },
] as const;

/** The settings, the theme, and signing out. */
export function AccountMenuList(place: Omit<MenuListProps, "items">) {
  const current = useSyncExternalStore(onThemeChange, appliedTheme);
  const signOut = useSignOut();
  return (
    <MenuList
      {...place}
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
    />
  );
}
