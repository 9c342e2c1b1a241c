import { BookOpen, ExternalLink, Search } from "lucide-react";
import { Logo } from "../components/logo.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { useRights } from "../rights/rights.ts";
import { lazyComponent } from "./lazy-component.tsx";
import { Link } from "./navigation/link.tsx";
import { withBasePath } from "./navigation/location.ts";
import { openPalette } from "./palette/palette-store.ts";
import { listedRoutes } from "./routes.tsx";
import { AccountMenu } from "./session/account-menu.tsx";

const LINK_CLASS =
  "flex items-center rounded-md font-medium text-muted transition-colors hover:bg-press hover:text-ink aria-[current=page]:bg-press aria-[current=page]:text-ink";
const WIDE_CLASS = "h-9 gap-2.5 px-2.5 md:h-8 pointer-coarse:h-11";
const NARROW_CLASS = "h-12 flex-col justify-center gap-1 text-center text-[0.625rem] leading-none";

const KEYS = navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K";

const SpaceMenu = lazyComponent(async () => (await import("../rights/space-menu.tsx")).SpaceMenu);

export interface SidebarProps {
  /** The current route's path. */
  readonly current: string | undefined;
  /** Shows the labels in small letters below the icons. */
  readonly isNarrow?: boolean;
}

/** Navigation and account menu. */
export function Sidebar({ current, isNarrow = false }: SidebarProps) {
  const rights = useRights();
  const linkClass = `${LINK_CLASS} ${isNarrow ? NARROW_CLASS : WIDE_CLASS}`;
  return (
    <div
      className={`flex h-full flex-col gap-5 overflow-y-auto py-3 ${isNarrow ? "px-1" : "px-3"}`}
    >
      <Link
        to="/files"
        className={`flex h-9 items-center gap-2.5 rounded-md px-2 font-semibold text-lg ${isNarrow ? "justify-center" : ""}`}
      >
        <Logo className="size-6 flex-none" />
        <span className={isNarrow ? "sr-only" : ""}>Holdall</span>
      </Link>
      {rights !== undefined && rights.spaces.length > 1 && (
        <SpaceMenu isNarrow={isNarrow} fallback={<Skeleton className="h-11" />} />
      )}
      <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5">
        <button type="button" className={linkClass} onClick={openPalette}>
          <Search aria-hidden className="size-4 flex-none" />
          Go to…
          {!isNarrow && (
            <kbd className="ml-auto font-sans text-muted text-xs pointer-coarse:hidden">{KEYS}</kbd>
          )}
        </button>
        {listedRoutes(rights).map(({ path, title, Icon }) => (
          <Link
            key={path}
            to={path}
            className={linkClass}
            aria-current={path === current ? "page" : undefined}
          >
            <Icon aria-hidden className="size-4 flex-none" />
            {title}
          </Link>
        ))}
        <a href={withBasePath("/docs")} target="_blank" rel="noopener" className={linkClass}>
          <BookOpen aria-hidden className="size-4 flex-none" />
          {isNarrow ? "Docs" : "Documentation"}
          {!isNarrow && (
            <ExternalLink aria-hidden className="ml-auto size-3.5 flex-none text-faint" />
          )}
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      </nav>
      <AccountMenu isNarrow={isNarrow} />
    </div>
  );
}
