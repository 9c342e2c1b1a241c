import { HoldallError } from "../connection/error.ts";
import type { Transport } from "../connection/transport.ts";
import { requireSliced } from "../files/sliced-source.ts";
import type { Progress } from "../files/upload.ts";
import { type AttemptOptions, createAttempts, withAttempts } from "./attempts.ts";
import type { Batches } from "./batches.ts";
import { isTooLongForProxy } from "./chunk-pace.ts";
import { eachParallel } from "./each-parallel.ts";
import { type FolderItem, itemPath } from "./folder-items.ts";
import { type FolderProgress, type Started, trackProgress } from "./folder-progress.ts";
import { isLarge, type LargeOptions } from "./is-large.ts";
import type { OpenBatch } from "./open-batch.ts";
import { planForms } from "./plan-forms.ts";
import { type ResumableOptions, uploadResumable } from "./resumable-upload.ts";

export interface SendBatchOptions extends Omit<ResumableOptions, "onProgress">, LargeOptions {
  /** Requests at once. Default: 4. */
  readonly parallel?: number | undefined;
  readonly onProgress?: ((progress: FolderProgress) => void) | undefined;
}

const PARALLEL = 4;
const FORM_LIMITS = { files: 100, bytes: 4 * 1024 * 1024 };

/** Sends what the batch does not have yet. */
export async function sendItems(
  transport: Transport,
  batches: Batches,
  { url, stored }: OpenBatch,
  items: readonly FolderItem[],
  options: SendBatchOptions,
): Promise<void> {
  const { parallel = PARALLEL, signal } = options;
  const tracker = trackProgress(items, options.onProgress);
  const missing = items.filter((item) => !stored.has(itemPath(item)));
  tracker.complete(items.filter((item) => stored.has(itemPath(item))));
  const isOwnUpload = (item: FolderItem): boolean => isLarge(item, options);
  const small = missing.filter((item) => !isOwnUpload(item));
  // Large files first, so that the last requests are short and share the connections.
  const requests = [
    ...missing.filter(isOwnUpload).map((item) => [item]),
    ...planForms(small, FORM_LIMITS),
  ];

  await eachParallel(requests, parallel, signal, async (group, abort) => {
    const [first] = group;
    if (!first) return;
    const started = tracker.start();
    const sendAlone = (item: FolderItem): Promise<void> =>
      sendLarge(transport, url, item, { ...options, signal: abort }, started);
    const given = { attempts: options.attempts, signal: abort };
    if (isOwnUpload(first)) await sendAlone(first);
    else await sendForm(batches, url, group, given, started, sendAlone);
    started.end();
    tracker.complete(group);
  });
}

async function sendLarge(
  transport: Transport,
  batchUrl: string,
  { folder, name, size, content }: FolderItem,
  options: SendBatchOptions,
  { report }: Started,
): Promise<void> {
  const source = await requireSliced(content);
  const { sha256 } = content;
  const body = { folder, name, size, contentType: source.type, sha256 };
  const request = { path: `${batchUrl}/uploads`, body };
  const onProgress = ({ loaded }: Progress): void => report(loaded);
  await uploadResumable(transport.anonymous(), request, source, { ...options, onProgress });
}

/**
 * Sends files in one request. After an interruption, asks which of them have arrived. `sendAlone` sends a file
 * over several requests, if a proxy does not take it in one.
 */
async function sendForm(
  batches: Batches,
  url: string,
  group: readonly FolderItem[],
  options: { readonly attempts: number | undefined; readonly signal: AbortSignal },
  started: Started,
  sendAlone: (item: FolderItem) => Promise<void>,
): Promise<void> {
  const { signal } = options;
  const attempts = createAttempts(options);
  let missing = group;
  while (missing.length > 0) {
    try {
      const files = missing.map(({ content }) => content);
      const onProgress = ({ loaded }: Progress): void => started.report(loaded);
      await batches.add(url, files, { folder: missing[0]?.folder, onProgress, signal });
      return;
    } catch (error) {
      started.report(0);
      const status = error instanceof HoldallError ? error.status : undefined;
      // The server may allow fewer files or bytes in a request, or not allow a name.
      if ((status === 413 || status === 400) && missing.length > 1) {
        const half = Math.ceil(missing.length / 2);
        await sendForm(batches, url, missing.slice(0, half), options, started, sendAlone);
        missing = missing.slice(half);
        continue;
      }
      const [first] = missing;
      if (first && isTooLongForProxy(error)) return sendAlone(first);
      if (status === 400) throw ofFile(first, error);
      // 409: files are in the batch already, because a response was lost.
      if (status !== 409) await attempts.waitAfter(error);
      const left = await withoutStored(batches, url, missing, options);
      if (status === 409 && left.length === missing.length) throw error;
      missing = left;
    }
  }
}

/** Says which file the server refuses. */
function ofFile(item: FolderItem | undefined, error: unknown): unknown {
  if (!item || !(error instanceof HoldallError)) return error;
  const text = `${itemPath(item)}: ${error.message}`;
  return new HoldallError(error.status, text, { ...error, cause: error });
}

async function withoutStored(
  batches: Batches,
  url: string,
  items: readonly FolderItem[],
  options: AttemptOptions,
): Promise<readonly FolderItem[]> {
  const { signal } = options;
  const { members } = await withAttempts(options, () => batches.show(url, { signal }));
  const stored = new Set(members.map(itemPath));
  return items.filter((item) => !stored.has(itemPath(item)));
}
