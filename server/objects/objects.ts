import type { Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { FileSettings, UploadStorage } from "../files/files.ts";
import type { ReadBytes } from "../files/read.ts";
import type { UploadSettings } from "../files/upload/begin-upload.ts";
import type { Actor } from "../rules/activity.ts";
import type { Scope } from "../rules/scope.ts";
import { createBuckets } from "./buckets.ts";
import { createObjectScope } from "./object-scope.ts";
import type { ObjectService } from "./object-service.ts";
import { createReadObjects } from "./read-objects.ts";
import { createRemoveObjects } from "./remove-objects.ts";
import { createStoreObjects } from "./store-objects.ts";

/** The objects of the S3 API. */
export interface Objects {
  /** The operations for a caller with this scope. */
  within(scope: Scope, actor: Actor): Omit<ObjectService, "multipart">;
}

export interface ObjectsParts {
  readonly catalog: Catalog;
  readonly blobs: Blobs;
  readonly storage: UploadStorage;
  readonly read: ReadBytes;
  /** The current values: read by each request. */
  readonly settings: () => UploadSettings & FileSettings;
}

export function createObjects(parts: ObjectsParts): Objects {
  const { catalog, storage } = parts;
  return {
    within(scope, actor) {
      const changes = catalog.by(actor);
      const limits = createObjectScope(catalog, scope);
      return {
        ...createBuckets({ catalog, changes, limits }),
        ...createReadObjects({ catalog, limits }),
        ...createStoreObjects({ ...parts, changes, limits }),
        ...createRemoveObjects({ changes, limits, storage }),
      };
    },
  };
}
