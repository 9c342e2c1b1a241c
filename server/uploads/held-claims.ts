import type { UploadClaim } from "../catalog/port/uploads.ts";
import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";
import type { UploadsDeps } from "./deps.ts";

/**
 * Claims of uploads that stay with this process between requests, if it is the only one: a claim and a
 * release for each request would cost as much as storing a few megabytes.
 */
export interface HeldClaims {
  /** The held claim, or a new one. See `UploadLedger.claimUpload`. */
  claim(id: string): Promise<UploadClaim>;
  /** Whether claims may be held. Otherwise they must be released. */
  readonly canHold: boolean;
  /** Holds a claim for the next request. To be called while this request is the writer of the upload. */
  hold(id: string, epoch: number): void;
}

/** Forgetting a claim only costs another one. */
const MAX_CLAIMS = 10_000;

export function createHeldClaims({
  catalog,
  storage,
  isOnlyProcess,
}: Pick<UploadsDeps, "catalog" | "storage" | "isOnlyProcess">): HeldClaims {
  const epochs = createTwoGenerationCache<string, number>(MAX_CLAIMS);

  return {
    canHold: isOnlyProcess,
    async claim(id) {
      const epoch = epochs.get(id);
      epochs.delete(id);
      if (epoch === undefined) {
        return catalog.claimUpload({ id, owner: storage.blobIds.owner, isOnlyProcess });
      }
      const upload = await catalog.uploadById(id);
      return upload === undefined ? undefined : { epoch, upload };
    },
    hold: (id, epoch) => epochs.set(id, epoch, 1),
  };
}
