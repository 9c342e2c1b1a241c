import type { BatchObject } from "../../../contract/api.ts";
import type { Transport } from "../connection/transport.ts";
import type { Batches, CreateBatchOptions } from "./batches.ts";
import type { FolderItem } from "./folder-items.ts";
import { openBatch } from "./open-batch.ts";
import { resumeEntry } from "./resume-store.ts";
import { type SendBatchOptions, sendItems } from "./send-items.ts";

interface BatchPlan {
  readonly batches: Batches;
  readonly items: readonly FolderItem[];
  /** Where the files go. */
  readonly target?: CreateBatchOptions;
  /** Names the batch in `resume`. */
  readonly identity: readonly unknown[];
  /** Called once the files are visible. If it fails, a later call continues here. */
  readonly finish?: (committed: BatchObject) => Promise<void>;
}

const DROP_MS = 5_000;

/** Sends files as a batch, or continues one with `resume`, and makes them visible. */
export async function sendBatch(
  transport: Transport,
  { batches, items, target = {}, identity, finish }: BatchPlan,
  options: SendBatchOptions,
): Promise<BatchObject> {
  const { signal } = options;
  const entry = resumeEntry(options.resume, identity);
  const batch = await openBatch(batches, items, entry, target, options);
  try {
    if (!batch.committed) await sendItems(transport, batches, batch, items, options);
    const committed = batch.committed ?? (await batches.commit(batch.url, { signal }));
    await finish?.(committed);
    await entry?.remove();
    return committed;
  } catch (error) {
    // Nothing can continue the batch, so the server need not keep it.
    if (!entry) {
      await batches.drop(batch.url, { signal: AbortSignal.timeout(DROP_MS) }).catch(() => {});
    }
    throw error;
  }
}
