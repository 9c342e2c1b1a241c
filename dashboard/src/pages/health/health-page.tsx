import { useQuery } from "@tanstack/react-query";
import type { HealthDetails } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { LoadError } from "../../components/load-error.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { BackupPanel } from "./backup-panel.tsx";
import { CheckPanel } from "./check-panel.tsx";
import { findProblems } from "./find-problems.ts";
import { ServerPanel } from "./server-panel.tsx";
import { SpacePanel } from "./space-panel.tsx";

const MINUTE_MS = 60_000;
/** While files are checked. */
const PROGRESS_MS = 3_000;

/** The health of the instance: checks, backups, space and the parts of the server. */
export function HealthPage() {
  const health = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => holdall.healthDetails({ signal }),
    refetchInterval: ({ state }) =>
      state.data?.scrub.state === "running" ? PROGRESS_MS : MINUTE_MS,
  });
  const { data, error } = health;

  return (
    <Page title="Health" description="Space, checks, backups and the parts of the server.">
      {data === undefined && error !== null && (
        <LoadError
          title="Couldn't load the health of the server"
          error={error}
          onRetry={() => void health.refetch()}
        />
      )}
      {data === undefined && error === null && <HealthSkeleton />}
      {data !== undefined && (
        <div className="flex flex-col gap-4 md:gap-6">
          {error !== null && (
            <Notice tone="bad">
              Couldn't read the health of the server: {error.message.replace(/\.$/, "")}. What
              follows is older.
            </Notice>
          )}
          <Summary health={data} isCurrent={error === null} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:gap-6 lg:grid-cols-2">
            <CheckPanel health={data} />
            <BackupPanel health={data} />
            <SpacePanel health={data} />
            <ServerPanel health={data} />
          </div>
        </div>
      )}
    </Page>
  );
}

interface SummaryProps {
  readonly health: HealthDetails;
  /** Only then is anything known to be fine. */
  readonly isCurrent: boolean;
}

function Summary({ health, isCurrent }: SummaryProps) {
  const problems = findProblems(health);
  if (problems.length === 0) {
    return isCurrent && <Notice tone="good">Everything is fine.</Notice>;
  }
  return (
    <ul aria-label="Problems" className="flex flex-col gap-2">
      {problems.map(({ tone, text }) => (
        <li key={text}>
          <Notice tone={tone}>{text}</Notice>
        </li>
      ))}
    </ul>
  );
}

const HealthSkeleton = () => (
  <div className="flex flex-col gap-4 md:gap-6" aria-busy="true">
    <Skeleton className="h-10" />
    <div className="grid gap-4 md:gap-6 lg:grid-cols-2">
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
    </div>
  </div>
);
