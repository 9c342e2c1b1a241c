import type { BlobChoice } from "../blobs/drivers.ts";
import type { DeliveryMode } from "../semantics/plan-delivery.ts";
import type { EnvironmentReader } from "./environment-reader.ts";
import { readS3, s3Variables } from "./s3-variables.ts";
import type { Variable } from "./variable.ts";

interface BlobStore {
  readonly variables: Readonly<Record<string, Variable<unknown>>>;
  /** The values of DELIVERY that the store supports. */
  readonly deliveries: readonly DeliveryMode[];
  /** The default of SCRUB_EVERY, in milliseconds; null: on request only. */
  readonly scrubEvery: number | null;
  read(reader: EnvironmentReader): BlobChoice;
}

const THIRTY_DAYS = 30 * 24 * 3600 * 1000;

/** The values of BLOBS. */
export const blobStores = {
  disk: {
    variables: {},
    deliveries: ["stream", "x-accel", "x-sendfile"],
    scrubEvery: THIRTY_DAYS,
    read: () => ({ driver: "disk", settings: {} }),
  },
  s3: {
    variables: s3Variables,
    deliveries: ["stream", "redirect"],
    // Object stores check their disks themselves, and many charge for every read.
    scrubEvery: null,
    read: (reader) => ({ driver: "s3", settings: readS3(reader) }),
  },
} satisfies Record<string, BlobStore>;

export type BlobStoreName = keyof typeof blobStores;

export const blobStoreNames = Object.keys(blobStores).filter(
  (name): name is BlobStoreName => name in blobStores,
);
