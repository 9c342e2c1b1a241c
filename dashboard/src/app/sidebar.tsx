import { BookOpen, ExternalLink } from "lucide-react";
import { Logo } from "../components/logo.tsx";
import { ThemeSwitch } from "../components/theme-switch.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Link } from "./link.tsx";
import { withBasePath } from "./location.ts";
import { routes } from "./routes.tsx";

const LINK_CLASS =
  "flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted transition-colors hover:bg-press hover:text-ink aria-[current=page]:bg-press aria-[current=page]:text-ink md:h-8";

/** Navigation, theme switch and account menu. */
export function Sidebar({ current }: { readonly current: string | undefined }) {
  return (
    <div className="flex h-full flex-col gap-5 overflow-y-auto p-3">
      <Link
        to="/files"
        className="flex h-9 items-center gap-2.5 rounded-md px-2 font-semibold text-lg"
      >
        <Logo className="size-6 flex-none" />
        Holdall
      </Link>
      <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5">
        {routes.map(
          ({ path, title, Icon }) =>
            Icon && (
              <Link
                key={path}
                to={path}
                className={LINK_CLASS}
                aria-current={path === current ? "page" : undefined}
              >
                <Icon aria-hidden className="size-4 flex-none" />
                {title}
              </Link>
            ),
        )}
        <a href={withBasePath("/docs")} target="_blank" rel="noopener" className={LINK_CLASS}>
          <BookOpen aria-hidden className="size-4 flex-none" />
          API reference
          <ExternalLink aria-hidden className="ml-auto size-3.5 flex-none text-faint" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      </nav>
      <div className="flex flex-col gap-3">
        <ThemeSwitch variant="icons" />
        <AccountMenu />
      </div>
    </div>
  );
}
