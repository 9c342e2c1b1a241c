import { ChevronRight, Ellipsis } from "lucide-react";
import { Link } from "../../app/navigation/link.tsx";
import { navigateTo } from "../../app/navigation/location.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { Menu } from "../../components/menus/menu.tsx";
import { isWithin } from "../../rights/pick-space.ts";
import { useHomeKey } from "../../rights/rights.ts";
import { DROP_TARGET, type Drop, useDropTarget } from "./actions/drag.ts";
import { useSubfolders } from "./data/use-subfolders.ts";

export interface BreadcrumbsProps {
  readonly folderKey: string;
  readonly pathOf: (key: string) => string;
  readonly onDrop: Drop;
}

/** With more breadcrumbs, those in the middle collapse into a menu. */
const MAX_CRUMBS = 4;

/**
 * Hidden where there is only room for the folder and its parent. It depends on the page, and not on the room that
 * the selection bar leaves: nothing moves while something is dragged here.
 */
const WIDE = "@max-3xl/files:hidden @6xl/files:@max-7xl/files:hidden";
/** Hidden where there is not even room for the menu. */
const NOT_PHONE = "@max-md/files:hidden";
/** Hidden where there is only room for the folder. */
const NOT_NARROW = "@max-[23rem]/files:hidden";

/** The path from the root to the folder. Entries can be dropped on it. */
export function Breadcrumbs({ folderKey, pathOf, onDrop }: BreadcrumbsProps) {
  const crumbs = crumbsOf(folderKey, useHomeKey());
  const last = crumbs.length - 1;
  const hidden = crumbs.length > MAX_CRUMBS ? crumbs.slice(1, last - 1) : [];
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 flex-1">
      <ol className="-ml-1.5 flex min-w-0 items-center gap-0.5 text-lg">
        {crumbs.map(({ key, name }, index) => {
          if (hidden.some((each) => each.key === key)) {
            return index === 1 ? (
              <li key="more" className={`flex flex-none items-center gap-0.5 ${NOT_PHONE}`}>
                <Separator className={WIDE} />
                <Menu
                  label="Parent folders"
                  items={hidden.map((each) => ({
                    label: each.name,
                    onSelect: () => navigateTo(pathOf(each.key)),
                  }))}
                  trigger={(props) => (
                    <IconButton label="Show parent folders" Icon={Ellipsis} {...props} />
                  )}
                />
              </li>
            ) : null;
          }
          return (
            <li
              key={key}
              className={`flex items-center gap-0.5 ${index === last ? "min-w-8 flex-1" : index === last - 1 ? `min-w-0 flex-initial @max-md/files:max-w-2/5 ${NOT_NARROW}` : `min-w-0 flex-initial ${WIDE}`}`}
            >
              {index > 0 && (
                <Separator
                  className={
                    index === last - 1 ? (hidden.length === 0 ? WIDE : NOT_PHONE) : NOT_NARROW
                  }
                />
              )}
              {index === last ? (
                <h1 className="min-w-0 px-1.5 font-semibold" title={name}>
                  <bdi className="block truncate">{name}</bdi>
                </h1>
              ) : (
                <Crumb folderKey={key} name={name} path={pathOf(key)} onDrop={onDrop} />
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

const Separator = ({ className = "" }: { readonly className?: string }) => (
  <ChevronRight aria-hidden className={`size-4 flex-none text-faint ${className}`} />
);

interface CrumbProps {
  readonly folderKey: string;
  readonly name: string;
  readonly path: string;
  readonly onDrop: Drop;
}

function Crumb({ folderKey, name, path, onDrop }: CrumbProps) {
  const { data } = useSubfolders(folderKey);
  const drop = useDropTarget(data && { id: data.folder.id, key: folderKey, name }, onDrop);
  return (
    <Link
      to={path}
      title={name}
      draggable={false}
      {...drop}
      className={`block min-w-0 max-w-48 truncate rounded-md px-1.5 py-0.5 text-muted transition-colors hover:bg-press hover:text-ink ${DROP_TARGET}`}
    >
      <bdi>{name}</bdi>
    </Link>
  );
}

/** The path from the folder where the account works; a folder outside it stands alone. */
function crumbsOf(key: string, home: string): { key: string; name: string }[] {
  const names = key === "" ? [] : key.split("/");
  const all = [
    { key: "", name: "Files" },
    ...names.map((name, index) => ({ key: names.slice(0, index + 1).join("/"), name })),
  ];
  const within = all.filter((crumb) => isWithin(crumb.key, home));
  return within.length > 0 ? within : all.slice(-1);
}
