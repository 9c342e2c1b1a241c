import type { BlobChoice } from "../blobs/drivers.ts";
import type { DeliveryMode } from "../rules/plan-delivery.ts";
import type { EnvironmentReader } from "./environment-reader.ts";
import { readS3, s3Variables } from "./s3-variables.ts";
import type { Variable } from "./variable.ts";

interface BlobStore {
  readonly variables: Readonly<Record<string, Variable<unknown>>>;
  /** The values of DELIVERY that the store supports. */
  readonly deliveries: readonly DeliveryMode[];
  read(reader: EnvironmentReader): BlobChoice;
}

/** The values of BLOBS. */
export const blobStores = {
  disk: {
    variables: {},
    deliveries: ["stream", "x-accel", "x-sendfile"],
    read: () => ({ driver: "disk", settings: {} }),
  },
  s3: {
    variables: s3Variables,
    deliveries: ["stream", "redirect"],
    read: (reader) => ({ driver: "s3", settings: readS3(reader) }),
  },
} satisfies Record<string, BlobStore>;

export type BlobStoreName = keyof typeof blobStores;

export const blobStoreNames = Object.keys(blobStores).filter(
  (name): name is BlobStoreName => name in blobStores,
);
