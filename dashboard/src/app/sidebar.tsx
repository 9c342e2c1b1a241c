import { BookOpen, ExternalLink } from "lucide-react";
import { Logo } from "../components/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Link } from "./link.tsx";
import { withBasePath } from "./location.ts";
import { routes } from "./routes.tsx";

const LINK_CLASS =
  "flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted transition-colors hover:bg-press hover:text-ink aria-[current=page]:bg-press aria-[current=page]:text-ink md:h-8 pointer-coarse:h-11";

export interface SidebarProps {
  /** The current route's path. */
  readonly current: string | undefined;
  /** Shows icons only; the labels are tooltips. */
  readonly isNarrow?: boolean;
}

/** Navigation and account menu. */
export function Sidebar({ current, isNarrow = false }: SidebarProps) {
  const linkClass = `${LINK_CLASS} ${isNarrow ? "justify-center" : ""}`;
  const labelClass = isNarrow ? "sr-only" : "";
  return (
    <div
      className={`flex h-full flex-col gap-5 overflow-y-auto py-3 ${isNarrow ? "px-2" : "px-3"}`}
    >
      <Link
        to="/files"
        className={`flex h-9 items-center gap-2.5 rounded-md px-2 font-semibold text-lg ${isNarrow ? "justify-center" : ""}`}
      >
        <Logo className="size-6 flex-none" />
        <span className={labelClass}>Holdall</span>
      </Link>
      <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5">
        {routes.map(
          ({ path, title, Icon }) =>
            Icon && (
              <Link
                key={path}
                to={path}
                className={linkClass}
                data-tooltip={isNarrow ? title : undefined}
                aria-current={path === current ? "page" : undefined}
              >
                <Icon aria-hidden className="size-4 flex-none" />
                <span className={labelClass}>{title}</span>
              </Link>
            ),
        )}
        <a
          href={withBasePath("/docs")}
          target="_blank"
          rel="noopener"
          className={linkClass}
          data-tooltip={isNarrow ? "Documentation" : undefined}
        >
          <BookOpen aria-hidden className="size-4 flex-none" />
          <span className={labelClass}>Documentation</span>
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
