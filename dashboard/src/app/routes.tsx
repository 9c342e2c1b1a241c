import {
  Activity,
  ChartNoAxesColumn,
  FolderClosed,
  HeartPulse,
  KeyRound,
  Link2,
  type LucideIcon,
  Settings,
  Trash2,
  Users,
  Webhook,
} from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { FilesPage } from "../pages/files/files-page.tsx";
import { can, type Right, type Rights } from "../rights/rights.ts";
import { lazyComponent } from "./lazy-component.tsx";
import type { PageProps } from "./navigation/page-props.ts";

export interface Route {
  /** The first path segment, with a leading slash. */
  readonly path: string;
  /** Shown in the navigation and in the document title. */
  readonly title: string;
  readonly Page: ComponentType<PageProps & { readonly fallback?: ReactNode }>;
  /** Icon in the navigation; a route without one is not listed there. */
  readonly Icon?: LucideIcon;
  /** The right that an account needs to open the page. */
  readonly needs?: Right;
  /** Whether the navigation lists it, as far as the account may open it. Default: yes. */
  readonly isListed?: (rights: Rights) => boolean;
  /** Rendered without the shell, for visitors who are not signed in. */
  readonly bare?: true;
}

/**
 * All pages. The files page is in the first script: one script compresses better than the chunks that
 * it would share with other pages. Each other page is a chunk of its own, loaded when it is first shown.
 */
export const routes: readonly Route[] = [
  {
    path: "/files",
    title: "Files",
    Icon: FolderClosed,
    Page: FilesPage,
  },
  {
    path: "/overview",
    needs: "admin",
    title: "Overview",
    Icon: ChartNoAxesColumn,
    Page: lazyComponent(
      async () => (await import("../pages/overview/overview-page.tsx")).OverviewPage,
    ),
  },
  {
    path: "/links",
    needs: "share",
    title: "Links",
    Icon: Link2,
    Page: lazyComponent(async () => (await import("../pages/links/links-page.tsx")).LinksPage),
  },
  {
    path: "/trash",
    needs: "discard",
    title: "Trash",
    Icon: Trash2,
    Page: lazyComponent(async () => (await import("../pages/trash/trash-page.tsx")).TrashPage),
  },
  {
    path: "/keys",
    title: "API keys",
    Icon: KeyRound,
    Page: lazyComponent(async () => (await import("../pages/keys/keys-page.tsx")).KeysPage),
  },
  {
    path: "/webhooks",
    needs: "admin",
    title: "Webhooks",
    Icon: Webhook,
    Page: lazyComponent(
      async () => (await import("../pages/webhooks/webhooks-page.tsx")).WebhooksPage,
    ),
  },
  {
    path: "/people",
    needs: "admin",
    title: "People",
    Icon: Users,
    // Who works alone has nobody to see there.
    isListed: ({ hasOthers }) => hasOthers,
    Page: lazyComponent(async () => (await import("../pages/people/people-page.tsx")).PeoplePage),
  },
  {
    path: "/activity",
    title: "Activity",
    Icon: Activity,
    Page: lazyComponent(
      async () => (await import("../pages/activity/activity-page.tsx")).ActivityPage,
    ),
  },
  {
    path: "/health",
    needs: "admin",
    title: "Health",
    Icon: HeartPulse,
    Page: lazyComponent(async () => (await import("../pages/health/health-page.tsx")).HealthPage),
  },
  {
    path: "/settings",
    title: "Settings",
    Icon: Settings,
    // The settings of members are those of their own account, which the account menu opens.
    isListed: ({ role }) => role === "owner",
    Page: lazyComponent(
      async () => (await import("../pages/settings/settings-page.tsx")).SettingsPage,
    ),
  },
  {
    path: "/sign-in",
    title: "Sign in",
    bare: true,
    Page: lazyComponent(async () => (await import("../pages/sign-in/sign-in-page.tsx")).SignInPage),
  },
  {
    path: "/invite",
    title: "Invitation",
    bare: true,
    Page: lazyComponent(async () => (await import("../pages/invite/invite-page.tsx")).InvitePage),
  },
  {
    path: "/setup",
    title: "Set up",
    bare: true,
    Page: lazyComponent(async () => (await import("../pages/setup/setup-page.tsx")).SetupPage),
  },
];

/** The route of a path, and the rest of the path. */
export function routeOf(path: string): { route: Route; rest: string } | undefined {
  const [first = "", ...rest] = path.split("/").slice(1);
  const route = routes.find((each) => each.path === `/${first}`);
  return route === undefined ? undefined : { route, rest: rest.join("/") };
}

export const mayOpen = ({ needs }: Route): boolean => needs === undefined || can(needs);

/** The pages that the navigation lists for the account. */
export function listedRoutes(rights: Rights | undefined): ListedRoute[] {
  if (rights === undefined || (rights.role === "member" && rights.space === undefined)) return [];
  return routes.flatMap((route) => {
    const { path, title, Icon, isListed = () => true } = route;
    const isShown = Icon !== undefined && mayOpen(route) && isListed(rights);
    return isShown ? [{ path, title, Icon }] : [];
  });
}

export type ListedRoute = Pick<Route, "path" | "title"> & { readonly Icon: LucideIcon };
