import {
  Activity,
  ChartNoAxesColumn,
  FolderClosed,
  KeyRound,
  type LucideIcon,
  Settings,
} from "lucide-react";
import { type Deferred, deferred } from "./deferred.tsx";
import type { PageProps } from "./page-props.ts";

export interface Route {
  /** Its first segment, with the slash. */
  readonly path: string;
  /** The page's name, in the navigation and in the browser's tab. */
  readonly title: string;
  readonly Page: Deferred<PageProps>;
  /** Its place in the navigation; without one it is not there. */
  readonly Icon?: LucideIcon;
  /** Without the frame around: for people who are not signed in. */
  readonly bare?: true;
}

/** Every page, each in a script of its own that is fetched when it is first shown. */
export const routes: readonly Route[] = [
  {
    path: "/files",
    title: "Files",
    Icon: FolderClosed,
    Page: deferred(async () => (await import("../pages/files/files-page.tsx")).FilesPage),
  },
  {
    path: "/overview",
    title: "Overview",
    Icon: ChartNoAxesColumn,
    Page: deferred(async () => (await import("../pages/overview/overview-page.tsx")).OverviewPage),
  },
  {
    path: "/keys",
    title: "API keys",
    Icon: KeyRound,
    Page: deferred(async () => (await import("../pages/keys/keys-page.tsx")).KeysPage),
  },
  {
    path: "/activity",
    title: "Activity",
    Icon: Activity,
    Page: deferred(async () => (await import("../pages/activity/activity-page.tsx")).ActivityPage),
  },
  {
    path: "/settings",
    title: "Settings",
    Icon: Settings,
    Page: deferred(async () => (await import("../pages/settings/settings-page.tsx")).SettingsPage),
  },
  {
    path: "/sign-in",
    title: "Sign in",
    bare: true,
    Page: deferred(async () => (await import("../pages/sign-in/sign-in-page.tsx")).SignInPage),
  },
  {
    path: "/setup",
    title: "Set up",
    bare: true,
    Page: deferred(async () => (await import("../pages/setup/setup-page.tsx")).SetupPage),
  },
];

/** The route of a path, and what follows the route's own. */
export function routeOf(path: string): { route: Route; rest: string } | undefined {
  const [first = "", ...rest] = path.split("/").slice(1);
  const route = routes.find((each) => each.path === `/${first}`);
  return route === undefined ? undefined : { route, rest: rest.join("/") };
}
