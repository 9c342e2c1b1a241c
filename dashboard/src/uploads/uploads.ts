import { Holdall } from "../../../sdk/src/holdall.ts";
import { holdall, queryClient } from "../app/client.ts";
import { base } from "../app/location.ts";
import { refreshFolders } from "../pages/files/data/patch-folders.ts";
import { createUploads } from "./engine.ts";
import { summaryOf } from "./summary.ts";

const PROBE_MS = 3_000;
const REFRESH_MS = 2_500;

/** Everything that is uploaded in this tab, whatever page it shows. */
export const uploads = createUploads({
  // Without a `fetch` of its own it sends in the way that tells of progress.
  client: new Holdall({ url: location.origin + base, retries: 0, timeout: 60_000 }),
  async limits() {
    const { maxFilesPerRequest, maxUploadSize } = await queryClient.fetchQuery({
      queryKey: ["settings"],
      queryFn: ({ signal }) => holdall.settings.read({ signal }),
      // The panel says it itself, and the queue is kept.
      meta: { ownUnauthorized: true },
    });
    return { files: maxFilesPerRequest.value, bytes: maxUploadSize.value };
  },
  async whenReachable() {
    while (!(await holdall.health().then(Boolean, () => false))) await sleepUntilOnline();
  },
  onStored: refreshSoon,
});

/** The browser says when it is online again; when the server is, only asking tells. */
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

// A connection without a network breaks only after minutes.
window.addEventListener("offline", () => uploads.interrupt());

/** Nothing has gone on for so long: is anybody there? */
const STALLED_MS = 20_000;
let progressed = { sent: 0, at: 0 };

setInterval(async () => {
  const { sent, isRunning } = summaryOf(uploads.state().items);
  const now = performance.now();
  if (!isRunning || sent !== progressed.sent) progressed = { sent, at: now };
  else if (now - progressed.at > STALLED_MS && uploads.state().pause === undefined) {
    progressed = { sent, at: now };
    // A server that is busy storing answers.
    await holdall.health().catch(() => uploads.interrupt());
  }
}, STALLED_MS / 4);

let refreshing: ReturnType<typeof setTimeout> | undefined;

/** The lists show what was stored, without asking for each file. */
function refreshSoon(): void {
  refreshing ??= setTimeout(() => {
    refreshing = undefined;
    void refreshFolders(queryClient);
  }, REFRESH_MS);
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

let isRunning = false;

uploads.subscribe(() => {
  const runs = summaryOf(uploads.state().items).isRunning;
  if (runs === isRunning) return;
  isRunning = runs;
  if (runs) return window.addEventListener("beforeunload", warn);
  window.removeEventListener("beforeunload", warn);
  clearTimeout(refreshing);
  refreshing = undefined;
  void refreshFolders(queryClient);
});
