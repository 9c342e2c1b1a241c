import type { Data } from "../connection/call.ts";
import { matchOf } from "../connection/match-of.ts";
import { createTransport } from "../connection/transport.ts";
import { createBatches } from "./batches.ts";
import { type FolderSource, readFolder } from "./folder-items.ts";
import { numberRepeatedPaths } from "./number-repeated-paths.ts";
import { requireChunkSize } from "./require-chunk-size.ts";
import { sendBatch } from "./send-batch.ts";
import type { SendBatchOptions } from "./send-items.ts";

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
  const { name, password, signal } = options;
  signal?.throwIfAborted();
  requireChunkSize(options);
  const link = linkOf(url);
  const { items } = await readFolder(numberRepeatedPaths(files), () => {});
  const transport = createTransport({ url: link.server });
  const batches = createBatches(transport);
  const create = async (): Promise<Data<"createBatch">> => {
    const call = { method: "POST", path: `${link.path}/batch`, body: { name, password } } as const;
    const created = await transport.json<Data<"createBatch">>({ ...call, signal });
    return transport.withAbsoluteUrl(created);
  };
  const identity = ["drop", link.server, link.path];
  const plan = { batches: { ...batches, create }, items, identity };
  const sent = await sendBatch(transport, plan, options);
  return { files: sent.files, bytes: sent.bytes };
}

/** In a browser, the URL may be relative to the page. */
function linkOf(url: string): { readonly server: string; readonly path: string } {
  const { origin, pathname } = new URL(url, globalThis.location?.href);
  const [base, token] = matchOf(/^(.*)\/s\/([^/]+)\/?$/, pathname);
  if (token) return { server: `${origin}${base}`, path: `/s/${token}` };
  throw new TypeError("`url` must be a link for sending files.");
}
