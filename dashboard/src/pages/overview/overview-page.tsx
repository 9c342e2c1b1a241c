import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { Period } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { Link } from "../../app/navigation/link.tsx";
import { redirectTo, useQueryString } from "../../app/navigation/location.ts";
import { settingsQuery } from "../../app/session/settings-query.ts";
import { LoadError } from "../../components/load-error.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { ErrorsPanel } from "./errors-panel.tsx";
import { KeysPanel } from "./keys-panel.tsx";
import { MediaKindsPanel } from "./media-kinds-panel.tsx";
import { QuotasPanel } from "./quotas-panel.tsx";
import { RequestedPanel } from "./requested-panel.tsx";
import { SortedFilesPanel } from "./sorted-files-panel.tsx";
import { StoragePanel } from "./storage-panel.tsx";
import { TrafficPanel } from "./traffic-panel.tsx";

const MINUTE_MS = 60_000;

/** Statistics of storage and traffic. */
export function OverviewPage() {
  const period = periodOf(useQueryString());
  const overview = useQuery({
    queryKey: ["overview", period],
    queryFn: async ({ signal }) => ({
      ...(await holdall.overview({ period, signal })),
      // Kept with the data, because previous data stays on screen while another period loads.
      period,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });
  const settings = useQuery(settingsQuery);
  const { data, error } = overview;

  return (
    <Page title="Overview" description="What is stored here and how it is used.">
      {data === undefined && error !== null && (
        <LoadError
          title="Couldn't load the overview"
          error={error}
          onRetry={() => void overview.refetch()}
        />
      )}
      {data === undefined && error === null && <OverviewSkeleton />}
      {data !== undefined && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:gap-6 lg:grid-cols-2">
          {data.storage.files === 0 && (
            <div className="lg:col-span-2">
              <Notice tone="info">
                Nothing stored yet.{" "}
                <Link to="/files" className="text-ink underline underline-offset-4">
                  Upload your first file
                </Link>{" "}
                to see it here.
              </Notice>
            </div>
          )}
          <StoragePanel storage={data.storage} reservedSpace={settings.data?.minFreeSpace.value} />
          <MediaKindsPanel types={data.types} />
          <QuotasPanel />
          <div className="lg:col-span-2">
            <TrafficPanel
              traffic={data.traffic}
              previous={data.previous}
              period={data.period}
              selected={period}
              files={data.newest}
              onPeriod={(next) =>
                redirectTo(next === "day" ? "/overview" : `/overview?period=${next}`)
              }
            />
          </div>
          <RequestedPanel {...data.mostRequested} />
          <ErrorsPanel traffic={data.traffic} period={data.period} />
          <div className="lg:col-span-2">
            <KeysPanel />
          </div>
          <SortedFilesPanel
            title="Largest"
            files={data.largest}
            all="/files?q=*&sort=size&dir=desc&view=list"
            note={({ size }) => formatBytes(size)}
          />
          <SortedFilesPanel
            title="Recent"
            files={data.newest}
            all="/files?q=*&sort=createdAt&dir=desc&view=list"
            note={({ createdAt }) => <Timestamp at={createdAt} length="long" />}
          />
        </div>
      )}
    </Page>
  );
}

function periodOf(query: string): Period {
  const given = new URLSearchParams(query).get("period");
  return given === "week" || given === "month" ? given : "day";
}

const OverviewSkeleton = () => (
  <div className="grid gap-4 md:gap-6 lg:grid-cols-2" aria-busy="true">
    <Skeleton className="h-64" />
    <Skeleton className="h-64" />
    <Skeleton className="h-96 lg:col-span-2" />
    <Skeleton className="h-80" />
    <Skeleton className="h-80" />
    <Skeleton className="h-64 lg:col-span-2" />
    <Skeleton className="h-80" />
    <Skeleton className="h-80" />
  </div>
);
