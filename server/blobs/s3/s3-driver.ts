import { join } from "node:path";
import { type DataFolder, hasBlobs } from "../../fs/data-folder-layout.ts";
import type { FreezeEvent } from "../../lib/circuit-breaker.ts";
import { createThrottledReport } from "../../lib/throttled-report.ts";
import type { BlobDriver, OnTrouble } from "../driver.ts";
import type { S3ClientOptions } from "./s3-client.ts";
import type { S3Settings } from "./s3-settings.ts";
import type { FrozenPart } from "./store-breakers.ts";

/** Blobs as objects in an S3 bucket. Loads the client on first use, to save memory without S3. */
export function createS3Driver(settings: S3Settings): BlobDriver {
  async function openStore(
    folder: DataFolder,
    onTrouble: OnTrouble,
    onFreeze?: S3ClientOptions["onFreeze"],
  ) {
    const { createS3Blobs } = await import("./s3.ts");
    const report = createThrottledReport(onTrouble);
    return createS3Blobs({
      settings,
      staging: join(folder.path, "staging"),
      onTrouble: ({ status, code, message }) => report(`${status} ${code}`, `S3: ${message}`),
      onFreeze,
    });
  }

  return {
    isLocal: false,
    async open({ folder, instanceId, hasFiles, ifMissing, ifFrozen, onTrouble }) {
      if (hasBlobs(folder)) {
        throw new Error(
          `BLOBS is s3, but ${folder.path} has files of its own (${folder.blobs}): remove BLOBS, or choose another DATA_PATH.`,
        );
      }
      const { claimBucket, requireBucket } = await import("./claim-bucket.ts");
      const claim = hasFiles || ifMissing === "refuse" ? requireBucket : claimBucket;
      await claim(settings, await instanceId());
      const onFreeze =
        ifFrozen === "fail"
          ? (event: FreezeEvent, part: FrozenPart) => onTrouble(FREEZE_MESSAGES[part](event))
          : undefined;
      const blobs = await openStore(folder, onTrouble, onFreeze);
      return { blobs, links: blobs };
    },
    async openSource({ instanceId, scratch, onTrouble }) {
      const { requireBucket } = await import("./claim-bucket.ts");
      await requireBucket(settings, instanceId);
      return openStore(scratch, onTrouble);
    },
    async openDestination({ folder, instanceId, isWhole, onTrouble }) {
      const { beginFilling, endFilling } = await import("./claim-bucket.ts");
      const { createS3Copies } = await import("./s3-copies.ts");
      await beginFilling(settings, instanceId, isWhole ? "published" : "empty");
      const blobs = await openStore(folder, onTrouble);
      return {
        blobs,
        open: () => createS3Copies(settings, blobs),
        publish: () => endFilling(settings, instanceId),
      };
    },
  };
}

const FREEZE_MESSAGES: Readonly<Record<FrozenPart, (event: FreezeEvent) => string>> = {
  store: ({ event, seconds }) =>
    event === "frozen"
      ? `S3: the store has not replied for ${seconds} s: requests that need it get 503`
      : `S3: the store replies again after ${seconds} s`,
  writes: ({ event, seconds }) =>
    event === "frozen"
      ? `S3: the store has carried out no change for ${seconds} s: uploads get 503, and removals wait`
      : `S3: the store carries out changes again after ${seconds} s`,
};
