import type { BlobInspection } from "../port.ts";
import { copyObject } from "./copy-object.ts";
import { readObject } from "./read-object.ts";
import type { S3Client } from "./s3-client.ts";
import { isRefusal, S3Error } from "./s3-error.ts";
import { blobKey, blobOfKey, keyOfPlace, PREFIX, placeOfKey } from "./s3-keys.ts";
import type { Multiparts } from "./s3-multipart.ts";
import type { S3Objects } from "./s3-objects.ts";

export interface S3InspectionDeps {
  readonly client: S3Client;
  readonly objects: S3Objects;
  readonly multiparts: Multiparts;
  readonly faultOf: (error: unknown) => unknown;
  /** Resolves when the store answers. */
  readonly ping: () => Promise<void>;
}

/** Inspects a bucket. Keys in the quarantine begin with `quarantine/<name>/`. */
export function createS3Inspection(deps: S3InspectionDeps): BlobInspection {
  const { client, objects, faultOf } = deps;

  /** Translates S3 errors into faults. */
  async function asFaults<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw faultOf(error);
    }
  }

  async function moveToQuarantine(
    places: readonly string[],
    quarantine: string,
  ): Promise<string[]> {
    const moved: string[] = [];
    for (const place of places) {
      const from = keyOfPlace(place);
      const size = await objects.sizeOf(from);
      if (size === undefined) continue;
      // S3 cannot rename: until the removal, both objects exist.
      await copyObject(deps, from, `quarantine/${quarantine}/${from}`, size);
      await objects.remove([from]);
      moved.push(place);
    }
    return moved;
  }

  return {
    async scan(id, take) {
      try {
        const read = await readObject(client, blobKey(id));
        if (read === undefined) return "absent";
        for await (const chunk of read.chunks) {
          const taken = take(chunk);
          if (taken !== undefined) await taken;
        }
        return "whole";
      } catch (error) {
        if (!(error instanceof S3Error)) throw error;
        if (isRefusal(error)) throw faultOf(error);
        // If the store answers, only this object is unreadable.
        await asFaults(deps.ping());
        faultOf(error);
        return "unreadable";
      }
    },

    sizeOf: (id) => asFaults(objects.sizeOf(blobKey(id))),

    placeOf: (id) => placeOfKey(blobKey(id)),

    async *listUnrecognized() {
      try {
        for await (const key of objects.keys(PREFIX)) {
          if (blobOfKey(key) === undefined) yield placeOfKey(key);
        }
      } catch (error) {
        throw faultOf(error);
      }
    },

    exists: async (place) => (await asFaults(objects.sizeOf(keyOfPlace(place)))) !== undefined,

    moveToQuarantine: (places, quarantine) => asFaults(moveToQuarantine(places, quarantine)),
  };
}
