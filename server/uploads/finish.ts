import { declaredCharset } from "../../contract/text/charset.ts";
import { Fault } from "../domain/faults/fault.ts";
import { keepReplaced } from "../domain/keep-time.ts";
import { ANSWER_MS, type UploadRecord } from "../domain/uploads.ts";
import type { ContentSums } from "../files/upload/content-hash.ts";
import type { AppendResult } from "./append-result.ts";
import type { UploadsDeps } from "./deps.ts";
import type { FindCapability } from "./find-capability.ts";
import type { Ingest } from "./ingest.ts";
import { mayRepeat } from "./may-repeat.ts";
import type { AppendPlan } from "./plan-append.ts";
import { rejectTaken } from "./reject-taken.ts";
import { withoutConflict } from "./upload-faults.ts";

export interface FinishInput {
  readonly upload: UploadRecord;
  readonly epoch: number;
  readonly plan: AppendPlan;
  readonly ingest: Ingest;
  /** Whether the creation has brought the whole file. */
  readonly isWhole: boolean;
}

/**
 * Makes the file of a complete upload visible, or a member of its batch. When it fails, the recorded
 * offset stays where it was.
 */
export function createFinish(deps: UploadsDeps & { readonly find: FindCapability }) {
  const { catalog, blobs, storage, find, settings } = deps;

  /** Fault "unprocessable": the content is not the announced one. The upload is removed. */
  async function rejectOther(
    { upload: { id }, plan: { expectedSha256 } }: FinishInput,
    sums: ContentSums | undefined,
  ): Promise<void> {
    if (expectedSha256 === null || sums === undefined || sums.sha256 === expectedSha256) return;
    await catalog.removeUpload(id);
    void storage.removeCondemned();
    throw new Fault(
      "unprocessable",
      `The SHA-256 of the file is ${sums.sha256}, but ${expectedSha256} was announced. The upload was removed.`,
      { code: "digest_mismatch", details: { expected: expectedSha256, actual: sums.sha256 } },
    );
  }

  return async (input: FinishInput): Promise<AppendResult> => {
    const { upload, epoch, plan, ingest, isWhole } = input;
    await rejectTaken(await find.makerOf(upload), catalog, upload, plan.name, (taken) =>
      mayRepeat(catalog, upload, { name: taken, isWhole }),
    );
    await rejectOther(input, await ingest.sums());
    const sums = await ingest.seal();
    await rejectOther(input, sums);
    // Asked last, as computing the sums may take long.
    const caller = await find.makerOf(upload);
    const { name, mimeType, contentType } = plan;
    const { file, keepsBlob } = await withoutConflict(
      catalog.finishUpload(caller, {
        id: upload.id,
        epoch,
        isWhole,
        file: {
          name,
          mimeType,
          charset: declaredCharset(contentType),
          blobId: upload.blobId,
          ...sums,
        },
        defaultVisibility: settings().defaultVisibility,
        ...keepReplaced(caller, settings()),
        answerUntil: catalog.now() + ANSWER_MS,
      }),
    );
    const isRepeated = file !== undefined && !keepsBlob;
    // No response waits for either: the record alone makes the file, and nobody reads a blob without one.
    if (keepsBlob) void blobs.markCommitted([upload.blobId]);
    else void storage.removeCondemned();
    if (upload.batchId === null && upload.onConflict !== "refuse") storage.onReplaced();
    const finished = {
      ...upload,
      name,
      state: "finished" as const,
      fileId: file?.id ?? null,
      offset: sums.size,
      length: sums.size,
    };
    return { upload: finished, file, sha256: sums.sha256, isCompleted: !isRepeated };
  };
}
