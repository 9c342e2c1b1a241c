import type { Data } from "../connection/call.ts";
import { createTransport } from "../connection/transport.ts";
import { createBatches } from "./batches.ts";
import { type FolderSource, readFolder } from "./folder-items.ts";
import { numberRepeatedPaths } from "./number-repeated-paths.ts";
import { openBatch } from "./open-batch.ts";
import { requireChunkSize } from "./require-chunk-size.ts";
import { resumeEntry } from "./resume-store.ts";
import { type SendBatchOptions, sendItems } from "./send-items.ts";

export interface DropOptions extends SendBatchOptions {
  /** The name of the folder in which their recipient finds the files. Default: the time. */
  readonly name?: string | undefined;
  /** The password of the link, if it has one. */
  readonly password?: string | undefined;
}

/** The files that have arrived. */
export interface Dropped {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Sends files to a link for sending files, with nothing but its URL: `https://files.example.com/s/…`. They
 * become visible together, to the recipient alone. With `resume`, continues where an earlier call with the
 * same files ended. Files with the same path get numbers. Throws a `HoldallError` if the server refuses
 * them; TypeError: `url` is not such a URL.
 */
export async function dropTo(
  url: string,
  files: Exclude<FolderSource, string>,
  options: DropOptions = {},
): Promise<Dropped> {
  const { name, password, attempts, resumableAbove, signal } = options;
  signal?.throwIfAborted();
  requireChunkSize(options);
  const link = linkOf(url);
  const { items } = await readFolder(numberRepeatedPaths(files), () => {});
  const transport = createTransport({ url: link.server });
  const batches = createBatches(transport);
  const create = async (): Promise<Data<"createBatch">> => {
    const call = { method: "POST", path: `${link.path}/batch`, body: { name, password } } as const;
    const created = await transport.json<Data<"createBatch">>({ ...call, signal });
    return { ...created, url: transport.absoluteUrl(created.url) };
  };
  const entry = resumeEntry(options.resume, ["drop", link.server, link.path]);
  const opening = { attempts, resumableAbove, signal };
  const batch = await openBatch({ ...batches, create }, items, entry, opening);
  try {
    if (batch.committed === undefined) await sendItems(transport, batches, batch, items, options);
    const committed = batch.committed ?? (await batches.commit(batch.url, { signal }));
    await entry?.remove();
    return { files: committed.files, bytes: committed.bytes };
  } catch (error) {
    if (entry === undefined) await batches.drop(batch.url, {}).catch(() => {});
    throw error;
  }
}

/** In a browser, the URL may be relative to the page. */
function linkOf(url: string): { readonly server: string; readonly path: string } {
  const { origin, pathname } = new URL(url, globalThis.location?.href);
  const [, base, token] = /^(.*)\/s\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (token !== undefined) return { server: `${origin}${base}`, path: `/s/${token}` };
  throw new TypeError("`url` must be a link for sending files.");
}
