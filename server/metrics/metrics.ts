import type { FileTree } from "../catalog/port/file-tree.ts";
import type { WebhookLedger } from "../catalog/port/webhooks.ts";
import { SYSTEM } from "../domain/callers/caller.ts";
import { AddressError, type ListenAddress } from "../domain/listen-address.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { Feed } from "../feed/feed.ts";
import type { Health } from "../health/health.ts";
import { cacheCount } from "../insight/cache-count.ts";
import type { TopFolder } from "./families.ts";
import { listenMetrics, type MetricsServer } from "./listen-metrics.ts";
import { addUpCounts, type ProcessCounts, type RequestCounts } from "./request-counts.ts";

/** More folders would be too many series. */
const MAX_FOLDERS = 100;

export interface MetricsDeps {
  readonly address: ListenAddress;
  readonly version: string;
  readonly catalog: Pick<FileTree, "folderByKey" | "listFolders" | "measureEach"> &
    Pick<WebhookLedger, "waitingDeliveries">;
  readonly health: Pick<Health, "read">;
  readonly feed: Pick<Feed, "end">;
  readonly peerCounts: () => Promise<readonly ProcessCounts[]>;
  readonly minFreeSpace: () => number;
  readonly counts: RequestCounts;
}

/** Serves the metrics of all processes of this server, from one of them. AddressError: the address cannot be used. */
export function serveMetrics(deps: MetricsDeps): MetricsServer {
  const { address, version, catalog, feed, health, peerCounts, minFreeSpace, counts } = deps;
  const startedAt = Date.now();
  const topFolders = cacheCount(() => measureTopFolders(catalog));

  const waitingDeliveries = async () => catalog.waitingDeliveries((await feed.end()).seq);

  async function read() {
    // The rest is worth more than nothing while the catalog does not respond.
    const [peers, healthNow, waiting, folders] = await Promise.all([
      peerCounts(),
      health.read().catch(() => undefined),
      waitingDeliveries().catch(() => undefined),
      topFolders().catch(() => []),
    ]);
    return {
      version,
      startedAt,
      minFreeSpace: minFreeSpace(),
      counts: addUpCounts([counts.read(), ...peers]),
      health: healthNow,
      waitingDeliveries: waiting,
      topFolders: folders,
    };
  }

  try {
    return listenMetrics(address, read);
  } catch (cause) {
    const { host, port } = address;
    throw new AddressError("METRICS_ADDRESS", `${host}:${port}`, cause);
  }
}

async function measureTopFolders(catalog: MetricsDeps["catalog"]): Promise<TopFolder[]> {
  const root = await catalog.folderByKey(SYSTEM, ROOT_KEY);
  if (root === undefined) return [];
  const ids: string[] = [];
  for await (const batch of catalog.listFolders(SYSTEM, root.id)) {
    ids.push(...batch.map(({ id }) => id));
    if (ids.length >= MAX_FOLDERS) break;
  }
  const measured = await catalog.measureEach(SYSTEM, ids.slice(0, MAX_FOLDERS));
  return measured.map(({ key, files, bytes }) => ({ name: key, files, bytes }));
}
