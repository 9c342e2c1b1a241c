import { useQuery } from "@tanstack/react-query";
import { RotateCw, ScrollText } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { Link } from "../../app/navigation/link.tsx";
import { redirectTo, useQueryString, withBasePath } from "../../app/navigation/location.ts";
import { saveUrl } from "../../app/save-url.ts";
import { useSession } from "../../app/session/session.ts";
import { settingsQuery } from "../../app/session/settings-query.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Menu } from "../../components/menus/menu.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { can } from "../../rights/rights.ts";
import { formatCount } from "../../text/format-count.ts";
import { NEEDS } from "../files/actions/needs.ts";
import { ActivityList } from "./activity-list.tsx";
import { activityRows } from "./activity-rows.ts";
import { ClearDialog } from "./clear-dialog.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { activityAddress, isFiltered, parseFilters, tablePath } from "./filters.ts";
import { isPreparation } from "./is-preparation.ts";
import { UndoDialog } from "./undo-dialog.tsx";
import { useActivity } from "./use-activity.ts";
import { useActors } from "./use-actors.ts";

const FORMATS = { csv: "As a table (CSV)", ndjson: "As lines of JSON" };
const SETTINGS = "/settings/activity";

/** The audit log, with filters. */
export function ActivityPage() {
  const query = useQueryString();
  const filters = useMemo(() => parseFilters(query), [query]);
  const scroller = useRef<HTMLElement>(null);
  const [clearing, setClearing] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const { data: session } = useSession();
  const activity = useActivity(filters);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, isFetching } = activity;
  const events = useMemo(() => data?.pages.flatMap((page) => page.activity) ?? [], [data]);
  // Begun uploads between the uploads of a client would keep those from being grouped in one line.
  const shown = useMemo(
    () => (filters.action === undefined ? events.filter((each) => !isPreparation(each)) : events),
    [events, filters.action],
  );
  const rows = useMemo(() => activityRows(shown, new Date()), [shown]);
  const actors = useActors(events, filters.actor);
  const actor = actors.find(({ id }) => id === filters.actor);
  const onNearEnd = useCallback(() => {
    // After a failure the user retries.
    if (!isFetchingNextPage && error === null) void fetchNextPage();
  }, [isFetchingNextPage, error, fetchNextPage]);

  return (
    <Page
      ref={scroller}
      title="Activity"
      description={<RetentionText />}
      actions={
        <div className="flex items-center gap-2">
          {actor !== undefined && (
            <Button needs={NEEDS.restore} onClick={() => setUndoing(true)}>
              Undo…
            </Button>
          )}
          <Menu
            label="Export"
            items={(["csv", "ndjson"] as const).map((format) => ({
              label: FORMATS[format],
              onSelect: () => saveUrl(withBasePath(tablePath(filters, format, new Date()))),
            }))}
            trigger={(props) => <Button {...props}>Export</Button>}
          />
          <Button needs={["admin"]} onClick={() => setClearing(true)}>
            Clear…
          </Button>
          <IconButton
            label="Refresh"
            Icon={RotateCw}
            aria-busy={isFetching}
            onClick={() => void activity.refetch()}
          />
        </div>
      }
    >
      <div className="flex flex-col gap-2">
        <FilterBar
          filters={filters}
          actors={actors}
          onChange={(next) => redirectTo(activityAddress(next))}
        />
        {data === undefined && error === null && <ActivitySkeleton />}
        {data === undefined && error !== null && (
          <LoadError
            title="Couldn't load activity"
            error={error}
            onRetry={() => void activity.refetch()}
          />
        )}
        {data !== undefined &&
          (shown.length === 0 && !hasNextPage ? (
            <EmptyActivity isFiltered={isFiltered(filters)} />
          ) : (
            <ActivityList
              key={query}
              rows={rows}
              me={session?.account.id}
              scroller={scroller}
              pageCount={data.pages.length}
              hasMore={hasNextPage && error === null}
              onNearEnd={onNearEnd}
            />
          ))}
        {data !== undefined && error !== null && (
          <LoadError
            title="Couldn't load more activity"
            error={error}
            onRetry={() => void fetchNextPage()}
          />
        )}
      </div>
      {undoing && actor !== undefined && (
        <UndoDialog key={actor.id} actor={actor} onClose={() => setUndoing(false)} />
      )}
      {clearing && <ClearDialog onClose={() => setClearing(false)} />}
    </Page>
  );
}

/** The retention period, with a link to its setting. */
function RetentionText() {
  const days = useRetention();
  const link = "rounded-sm text-ink underline underline-offset-4";
  return (
    <>
      {can("admin")
        ? "Everything that happened, including what was refused."
        : "What you and your API keys did, including what was refused."}{" "}
      {days !== undefined && (
        <>
          {days === 0 ? "Not kept. " : `Kept for ${formatCount(days, "day")}. `}
          <Link to={SETTINGS} className={link}>
            Change
          </Link>
        </>
      )}
    </>
  );
}

function useRetention(): number | undefined {
  return useQuery(settingsQuery).data?.activityRetentionDays.value;
}

function EmptyActivity({ isFiltered: filtered }: { readonly isFiltered: boolean }) {
  const days = useRetention();
  if (filtered) {
    return (
      <EmptyState
        title="No matches"
        Icon={ScrollText}
        action={<Button onClick={() => redirectTo("/activity")}>Show all activity</Button>}
      >
        <p>No activity matches these filters.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No activity yet" Icon={ScrollText}>
      {days === 0 ? (
        <p>This instance does not keep activity. Choose how long to keep it in the settings.</p>
      ) : (
        <p>
          Uploads, changes, deletions, links, keys, sign-ins and settings changes appear here within
          seconds, including those that were refused.
        </p>
      )}
    </EmptyState>
  );
}

const ActivitySkeleton = () => (
  <div className="flex flex-col gap-2 pt-12" aria-busy="true">
    {Array.from({ length: 8 }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: all are the same.
      <Skeleton key={line} className="h-7" />
    ))}
  </div>
);
