import { useQuery } from "@tanstack/react-query";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { holdall } from "../../app/connection/client.ts";
import { Link } from "../../app/navigation/link.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Panel } from "../../components/panel.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TruncatedName } from "../../components/truncated-name.tsx";
import { formatCount } from "../../text/format-count.ts";
import { ShareBar } from "./share-bar.tsx";

const MAX_KEYS = 5;
const MINUTE_MS = 60_000;

/** The API keys with the most requests. */
export function KeysPanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ["keys", "traffic"],
    queryFn: ({ signal }) => holdall.keys.traffic({ signal }),
    refetchInterval: MINUTE_MS,
  });
  const keys = data?.keys ?? [];
  const most = Math.max(1, ...keys.map(({ requests }) => requests));
  return (
    <Panel
      title="Requests by API key"
      aside={<span className="text-muted text-sm">Last 30 days</span>}
    >
      {error !== null && data === undefined && (
        <LoadError
          title="Couldn't load the requests by key"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {error === null && data === undefined && <Skeleton className="h-24" />}
      {data !== undefined && keys.length === 0 && (
        <p className="text-muted">No requests with API keys yet.</p>
      )}
      <ol className="flex flex-col gap-3.5 text-sm tabular-nums">
        {keys.slice(0, MAX_KEYS).map(({ id, name, requests, bytes, errors }) => (
          <li key={id}>
            <p className="flex items-center gap-x-4">
              <Link
                to={`/activity?actor=${encodeURIComponent(id)}`}
                className="min-w-0 flex-1 rounded-sm font-medium underline-offset-4 hover:underline"
              >
                <TruncatedName name={name} />
              </Link>
              {errors > 0 && <span className="text-muted">{formatCount(errors, "error")}</span>}
              {bytes > 0 && <span className="text-muted max-sm:hidden">{formatBytes(bytes)}</span>}
              <span className="text-right">{formatCount(requests, "request")}</span>
            </p>
            <ShareBar share={requests / most} />
          </li>
        ))}
      </ol>
      {keys.length > MAX_KEYS && (
        <p className="text-sm">
          <Link to="/keys" className="rounded-sm underline underline-offset-4">
            All keys
          </Link>
        </p>
      )}
    </Panel>
  );
}
