import type { QueryClient } from "@tanstack/react-query";
import type { FileObject } from "../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../app/connection/client.ts";
import { monitoredFetch } from "../../app/connection/connection.ts";
import { withBasePath } from "../../app/navigation/location.ts";
import { sleep } from "../../app/sleep.ts";
import { operate } from "../../operations/operate.ts";
import { failureOf } from "../../pages/files/actions/describe-change.ts";
import { refreshFolders } from "../../pages/files/data/patch-folders.ts";
import { formatCount } from "../../text/format-count.ts";
import { nameInUrl } from "./urls-of.ts";

const POLL_MS = 1_000;
/** The number of files that a process of the server fetches at a time. */
const AT_ONCE = 4;

/** Makes the server fetch files from URLs into a folder, and waits for them. Files whose name is taken get a number. */
export async function fetchFiles(
  client: QueryClient,
  urls: readonly string[],
  folder: string,
): Promise<void> {
  const [first = ""] = urls;
  const what = urls.length === 1 ? `“${nameInUrl(first)}”` : formatCount(urls.length, "file");
  await operate(`Fetching ${what}`, async (work) => {
    const files: FileObject[] = [];
    /** The upload of each URL: a step that runs again does not fetch again. */
    const uploads = new Map<string, string>();
    const fetchOne = async (url: string, signal: AbortSignal): Promise<void> => {
      const upload = uploads.get(url) ?? (await start(url, folder));
      uploads.set(url, upload);
      const file = await fetched(upload, signal).catch(async (error: unknown) => {
        if (signal.aborted) await cancel(upload);
        throw error;
      });
      files.push(file);
    };
    const result = await work.run(urls, fetchOne, { atOnce: AT_ONCE, isAborted: true });
    await refreshFolders(client);
    const failure = failureOf(result, "fetched");
    const [file] = files;
    if (file === undefined) return { failure };
    const added = files.length === 1 ? `“${file.name}”` : formatCount(files.length, "file");
    return { failure, text: `Added ${added} from ${files.length === 1 ? "its URL" : "URLs"}.` };
  });
}

async function start(url: string, folder: string): Promise<string> {
  const { uploads } = await holdallWithoutRetries.call("fetchFiles", {
    body: { url, onConflict: "keepBoth", ...(folder === "" ? {} : { folder }) },
  });
  const [upload] = uploads;
  if (upload === undefined) throw new Error("The server did not start to fetch the file.");
  return upload.url;
}

/** The file, once the server has it. Rejects with the reason if it cannot be fetched. */
async function fetched(upload: string, signal: AbortSignal): Promise<FileObject> {
  for (;;) {
    signal.throwIfAborted();
    const { fetch, file } = await holdallWithoutRetries.call("showUpload", { url: upload, signal });
    if (file !== null) return file;
    if (fetch?.state === "failed") throw new Error(fetch.error ?? "The file could not be fetched.");
    await sleep(POLL_MS, signal);
  }
}

/** Makes the server stop. The client without uploads has no call for it. What it has already removed needs nothing. */
const cancel = (upload: string): Promise<unknown> =>
  monitoredFetch(withBasePath(`/${upload}`), { method: "DELETE" }).catch(() => undefined);
