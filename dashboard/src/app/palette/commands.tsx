import {
  BookOpen,
  FileUp,
  FolderPlus,
  FolderUp,
  Info,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  Sun,
} from "lucide-react";
import type { MenuItem } from "../../components/menus/menu-item.ts";
import { entryMenu } from "../../pages/files/actions/entry-menu.ts";
import { nameOf } from "../../pages/files/data/entry.ts";
import { toggleDetails } from "../../pages/files/details/details-store.ts";
import { settingsTabs } from "../../pages/settings/settings-tabs.ts";
import { can, canAll, rightsStore } from "../../rights/rights.ts";
import { SETTING_LABELS } from "../../text/format-setting.ts";
import { setTheme } from "../../theme/choice.ts";
import { pickFiles, pickFolder } from "../../uploads/choosing/pick-files.ts";
import { targetFolder } from "../../uploads/choosing/target-folder.ts";
import { navigateTo, withBasePath } from "../navigation/location.ts";
import { listedRoutes, routes } from "../routes.tsx";
import { showShortcutHelp } from "../shortcuts/shortcut-help-store.ts";
import type { Command, CommandGroup } from "./command.ts";
import { filesContext } from "./palette-store.ts";

/** All commands that need no request: what can be done now, the pages, the settings and the documents. */
export function commandGroups(signOut: () => void): readonly CommandGroup[] {
  return [
    ...selectionCommands(),
    { title: "Actions", commands: actionCommands(signOut) },
    { title: "Pages", commands: pageCommands() },
    { title: "Settings", commands: settingCommands() },
    { title: "Documents", commands: documentCommands() },
  ];
}

const iconOf = (Icon: LucideIcon) => <Icon aria-hidden className="size-4 flex-none text-muted" />;

/** The menu of the selected file or folder. */
function selectionCommands(): CommandGroup[] {
  const { entries = [], actions } = filesContext.current ?? {};
  const [entry] = entries;
  if (entry === undefined || actions === undefined || entries.length > 1) return [];
  const name = nameOf(entry);
  const items = entryMenu(entry, actions).filter(({ needs }) => canAll(needs));
  return [{ title: `“${name}”`, commands: items.map((item) => itemCommand(item, name)) }];
}

const itemCommand = (item: MenuItem, name: string): Command => ({
  id: `selection ${item.label}`,
  title: item.label,
  note: name,
  icon: item.Icon && iconOf(item.Icon),
  shortcut: item.shortcut,
  run: item.onSelect,
});

function actionCommands(signOut: () => void): Command[] {
  const folder = targetFolder();
  const { actions } = filesContext.current ?? {};
  const command = (title: string, Icon: LucideIcon, run: () => void, words = ""): Command => ({
    id: `action ${title}`,
    title,
    words,
    icon: iconOf(Icon),
    run,
  });
  return [
    ...(can("write")
      ? [
          command("Upload files…", FileUp, () => void pickFiles(folder), "add"),
          command("Upload a folder…", FolderUp, () => void pickFolder(folder), "add directory"),
        ]
      : []),
    ...(actions && can("write")
      ? [command("New folder", FolderPlus, actions.newFolder, "create directory")]
      : []),
    ...(actions ? [command("Show or hide details", Info, toggleDetails, "panel information")] : []),
    command("Create an API key", Plus, () => navigateTo("/keys"), "new token credentials"),
    command("Light theme", Sun, () => setTheme("light"), "appearance mode"),
    command("Dark theme", Moon, () => setTheme("dark"), "appearance mode"),
    command("System theme", Monitor, () => setTheme("system"), "appearance mode automatic"),
    command("Keyboard shortcuts", Keyboard, showShortcutHelp, "keys help"),
    command("Sign out", LogOut, signOut, "log out leave"),
  ];
}

const pageCommands = (): Command[] =>
  listedRoutes(rightsStore.get()).map(({ path, title, Icon }) => ({
    id: path,
    title,
    icon: iconOf(Icon),
    words: "go open",
    run: () => navigateTo(path),
  }));

/** The parts of the settings, and each setting. */
const settingCommands = (): Command[] =>
  settingsTabs().flatMap(({ path, title, groups }) => {
    const settings = routes.find((route) => route.path === "/settings")?.Icon;
    const common = {
      icon: settings && iconOf(settings),
      run: () => navigateTo(`/settings/${path}`),
    };
    const names = groups.flatMap((group) => group.names);
    return [
      { ...common, id: `settings ${path}`, title: `Settings: ${title}`, words: "preferences" },
      ...names.map((name) => ({
        ...common,
        id: `setting ${name}`,
        title: SETTING_LABELS[name],
        note: title,
        words: `settings ${name}`,
      })),
    ];
  });

const DOCUMENTS = [
  { path: "/docs", title: "Documentation", words: "guides docs" },
  { path: "/docs/api", title: "API reference", words: "documentation http openapi curl sdk" },
  { path: "/docs/durability", title: "Durability", words: "documentation disk fsync" },
  { path: "/docs/security", title: "Threat model", words: "documentation security" },
  { path: "/docs/scaling", title: "Scaling", words: "documentation servers throughput" },
];

const documentCommands = (): Command[] =>
  DOCUMENTS.map(({ path, title, words }) => ({
    id: path,
    title,
    words,
    note: "opens in a new tab",
    icon: iconOf(BookOpen),
    run: () => window.open(withBasePath(path), "_blank", "noopener"),
  }));
