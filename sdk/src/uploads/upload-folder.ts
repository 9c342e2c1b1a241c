import type { BatchObject } from "../../../contract/api.ts";
import { pathOf } from "../connection/call.ts";
import type { Transport } from "../connection/transport.ts";
import { createMissingFolder } from "../files/folder-of-key.ts";
import { withAttempts } from "./attempts.ts";
import { type CreateBatchOptions, createBatches } from "./batches.ts";
import { type FolderSource, type OnSkipped, readFolder } from "./folder-items.ts";
import { requireChunkSize } from "./require-chunk-size.ts";
import { sendBatch } from "./send-batch.ts";
import type { SendBatchOptions } from "./send-items.ts";

export interface UploadFolderOptions extends Omit<CreateBatchOptions, "signal">, SendBatchOptions {
  /** Identifies the folder in `resume`. Default: its local path, or the first folder of its first file. */
  readonly resumeId?: string | undefined;
  /** Called for what a local folder has besides files and folders, which is not uploaded. */
  readonly onSkipped?: OnSkipped | undefined;
}

/** All numbers are counts of files, except `bytes`. */
export interface UploadedFolder {
  /** The key of the target folder. */
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly added: number;
  readonly replaced: number;
  readonly skipped: number;
}

/** Uploads a folder as a batch. With `resume`, continues where an earlier call ended. */
export async function uploadFolder(
  transport: Transport,
  source: FolderSource,
  options: UploadFolderOptions,
): Promise<UploadedFolder> {
  const { folder, visibility, fileExpiresIn, onConflict, signal, onSkipped = () => {} } = options;
  signal?.throwIfAborted();
  requireChunkSize(options);
  const { items, emptyFolders } = await readFolder(source, onSkipped);
  const batches = createBatches(transport);
  const target = { folder, visibility, fileExpiresIn, onConflict };
  const id =
    options.resumeId ?? (typeof source === "string" ? source : items[0]?.folder.split("/")[0]);
  const identity = ["batch", transport.absoluteUrl(pathOf("createBatch")), target, id ?? ""];
  const finish = async ({ folder: place }: BatchObject): Promise<void> => {
    for (const path of emptyFolders) {
      await withAttempts(options, () =>
        createMissingFolder(transport, `${place}/${path}`, { signal }),
      );
    }
  };
  return resultOf(
    await sendBatch(transport, { batches, items, target, identity, finish }, options),
  );
}

function resultOf({ folder, files, bytes, result }: BatchObject): UploadedFolder {
  const { added = files, replaced = 0, skipped = 0 } = result ?? {};
  return { folder, files, bytes, added, replaced, skipped };
}
