import {
  Activity,
  ChartNoAxesColumn,
  FolderClosed,
  KeyRound,
  type LucideIcon,
  Settings,
} from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export interface PageProps {
  /** What follows the route's own path, still percent-encoded, without a slash in front. */
  readonly rest: string;
}

type LazyPage = LazyExoticComponent<ComponentType<PageProps>>;

export interface Route {
  /** Its first segment, with the slash. */
  readonly path: string;
  /** The page's name, in the navigation and in the browser's tab. */
  readonly title: string;
  readonly Page: LazyPage;
  /** Its place in the navigation; without one it is not there. */
  readonly Icon?: LucideIcon;
  /** Without the frame around: for people who are not signed in. */
  readonly bare?: true;
}

/** Every page, each in a file of its own that is fetched when it is first shown. */
export const routes: readonly Route[] = [
  {
    path: "/files",
    title: "Files",
    Icon: FolderClosed,
    Page: lazy(async () => ({
      default: (await import("../pages/files/files-page.tsx")).FilesPage,
    })),
  },
  {
    path: "/overview",
    title: "Overview",
    Icon: ChartNoAxesColumn,
    Page: lazy(async () => ({
      default: (await import("../pages/overview/overview-page.tsx")).OverviewPage,
    })),
  },
  {
    path: "/keys",
    title: "API keys",
    Icon: KeyRound,
    Page: lazy(async () => ({ default: (await import("../pages/keys/keys-page.tsx")).KeysPage })),
  },
  {
    path: "/activity",
    title: "Activity",
    Icon: Activity,
    Page: lazy(async () => ({
      default: (await import("../pages/activity/activity-page.tsx")).ActivityPage,
    })),
  },
  {
    path: "/settings",
    title: "Settings",
    Icon: Settings,
    Page: lazy(async () => ({
      default: (await import("../pages/settings/settings-page.tsx")).SettingsPage,
    })),
  },
  {
    path: "/sign-in",
    title: "Sign in",
    bare: true,
    Page: lazy(async () => ({
      default: (await import("../pages/sign-in/sign-in-page.tsx")).SignInPage,
    })),
  },
  {
    path: "/setup",
    title: "Set up",
    bare: true,
    Page: lazy(async () => ({
      default: (await import("../pages/setup/setup-page.tsx")).SetupPage,
    })),
  },
];

/** The route of a path, and what follows the route's own. */
export function routeOf(path: string): { route: Route; rest: string } | undefined {
  const [first = "", ...rest] = path.split("/").slice(1);
  const route = routes.find((each) => each.path === `/${first}`);
  return route === undefined ? undefined : { route, rest: rest.join("/") };
}
