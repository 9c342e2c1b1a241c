import { Holdall } from "../../../sdk/src/holdall.ts";
import { holdall, queryClient } from "../app/connection/client.ts";
import { createLeaveGuard } from "../app/navigation/leave-guard.ts";
import { basePath } from "../app/navigation/location.ts";
import { settingsQuery } from "../app/session/settings-query.ts";
import { showErrorToast } from "../components/toast-store.ts";
import { refreshFolders } from "../pages/files/data/patch-folders.ts";
import { spaceId } from "../rights/rights.ts";
import { createUploads } from "./engine.ts";
import type { Item } from "./item.ts";
import { createThumbnailPreparation } from "./sending/thumbnail-preparation.ts";
import { summaryOf } from "./summary.ts";
import { readVisibilityChoice, storeVisibilityChoice } from "./visibility-choice.ts";

const PROBE_MS = 3_000;
const REFRESH_MS = 2_500;

// Without a custom `fetch` the SDK uploads by XMLHttpRequest, which reports progress.
export const uploadClient = new Holdall({
  url: location.origin + basePath,
  retries: 0,
  timeout: 60_000,
  space: spaceId,
});

/** The uploads of this tab, independent of the current page. */
export const uploads = createUploads({
  client: uploadClient,
  async limits() {
    const settings = await queryClient.fetchQuery({
      ...settingsQuery,
      // A query has one `meta`, so this one is a query of its own.
      queryKey: ["settings of uploads"],
      staleTime: 0,
      // The panel shows that the session has ended, and keeps the queue.
      meta: { handlesUnauthorized: true },
    });
    // Members do not know them, and the server applies them anyway.
    if (settings === null) throw new Error("The limits are not known.");
    return { files: settings.maxFilesPerRequest.value, bytes: settings.maxUploadSize.value };
  },
  async whenReachable() {
    while (!(await holdall.health().then(Boolean, () => false))) await sleepUntilOnline();
  },
  onStored() {
    refreshSoon();
    const { work } = uploads;
    // The files of a folder exist once all of them are committed.
    const isStored = ({ group }: Item) =>
      group === undefined || work.group(group)?.state === "done";
    thumbnails.onStored(work.items.filter(isStored));
  },
  visibility: readVisibilityChoice(),
  keepVisibility: storeVisibilityChoice,
  onVisibilityFailed: showErrorToast,
});

const thumbnails = createThumbnailPreparation(async (key) => {
  const url = holdall.url(key, { size: "small" });
  const headers = { Accept: "image/webp" };
  const { status } = await fetch(url, { method: "HEAD", headers, priority: "low" });
  // 400: this server makes no sizes. 429, 503: it is busy.
  return status < 500 && status !== 400 && status !== 429;
});

/** Resolves when the browser is online again, or after the probe interval. */
function sleepUntilOnline(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, PROBE_MS);
    window.addEventListener("online", done);
  });
}

// Without this, a connection would only fail minutes after the network is lost.
window.addEventListener("offline", () => uploads.interrupt());

/** Without progress for this long, check whether the server still responds. */
const STALLED_MS = 20_000;
let lastProgress = { sent: 0, at: 0 };

setInterval(async () => {
  const { sent, isRunning } = summaryOf(uploads.state().items, uploads.state().groups);
  const now = performance.now();
  if (!isRunning || sent !== lastProgress.sent) lastProgress = { sent, at: now };
  else if (now - lastProgress.at > STALLED_MS && uploads.state().pause === undefined) {
    lastProgress = { sent, at: now };
    // A server that is busy storing still responds to this.
    await holdall.health().catch(() => uploads.interrupt());
  }
}, STALLED_MS / 4);

let refreshing: ReturnType<typeof setTimeout> | undefined;

/** Refreshes the lists once for many stored files. */
function refreshSoon(): void {
  refreshing ??= setTimeout(() => {
    refreshing = undefined;
    void refreshFolders(queryClient);
  }, REFRESH_MS);
}

const guardLeaving = createLeaveGuard();
let isRunning = false;

uploads.subscribe(() => {
  const isNowRunning = summaryOf(uploads.state().items, uploads.state().groups).isRunning;
  if (isNowRunning === isRunning) return;
  isRunning = isNowRunning;
  guardLeaving(isNowRunning);
  if (isNowRunning) return;
  clearTimeout(refreshing);
  refreshing = undefined;
  void refreshFolders(queryClient);
});
