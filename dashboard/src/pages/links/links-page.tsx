import { Link2 } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { Link } from "../../app/navigation/link.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Checkbox } from "../../components/fields/checkbox.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useLinkList } from "../../sharing/use-link-list.tsx";
import { useLinks } from "../../sharing/use-links.ts";
import { filterLinks, type LinkFilter, NO_FILTER } from "./filter-links.ts";
import { LinkFilterBar } from "./link-filter-bar.tsx";

/** All links, with their uses. */
export function LinksPage() {
  const [includeRevoked, setIncludeRevoked] = useState(false);
  const id = useId();
  const query = useLinks({ includeRevoked });
  const { links, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const list = useLinkList(true);
  const [filter, setFilter] = useState<LinkFilter>(NO_FILTER);
  const isFiltered = filter !== NO_FILTER;
  const shown = links && filterLinks(links, filter);
  // Filters and orders need all links, so the pages that are missing are loaded.
  useEffect(() => {
    if (isFiltered && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isFiltered, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Page
      title="Links"
      description="Links that you and your apps have shared, and upload requests. You can revoke each at any time."
      actions={
        <label htmlFor={id} className="flex items-center gap-2.5 text-sm">
          <Checkbox
            id={id}
            checked={includeRevoked}
            onChange={({ target }) => setIncludeRevoked(target.checked)}
          />
          Show revoked links
        </label>
      }
    >
      {links === undefined && error === null && <LinksSkeleton />}
      {links === undefined && error !== null && (
        <LoadError title="Couldn't load links" error={error} onRetry={() => void query.refetch()} />
      )}
      {links !== undefined &&
        (links.length === 0 ? (
          <NoLinks />
        ) : (
          <div className="flex flex-col items-center gap-4">
            <LinkFilterBar filter={filter} onChange={setFilter} />
            {shown === undefined || shown.length === 0 ? (
              <p role="status" className="py-8 text-muted">
                {hasNextPage ? "Searching…" : "No link matches."}
              </p>
            ) : (
              <Card className="w-full">{list.rows(shown)}</Card>
            )}
            {hasNextPage && !isFiltered && (
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            )}
          </div>
        ))}
      {list.dialogs}
    </Page>
  );
}

const NoLinks = () => (
  <EmptyState title="No links yet" Icon={Link2}>
    <p>
      Choose “Share…” in the menu of a file or folder. A link can have a password, an expiry date
      and a number of visits, and an upload request lets others send you files.
    </p>
    <p>
      <Link to="/files" className="text-accent underline underline-offset-4">
        Open your files
      </Link>
    </p>
  </EmptyState>
);

/** Placeholders of the height of a link's row. */
const LinksSkeleton = () => (
  <div className="flex flex-col gap-2" aria-busy="true">
    {[1, 2, 3].map((line) => (
      <Skeleton key={line} className="h-20" />
    ))}
  </div>
);
