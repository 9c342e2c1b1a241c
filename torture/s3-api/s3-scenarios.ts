import type { HttpResponse } from "../../test/http-response.ts";
import type { Inventory } from "../inventory.ts";
import { seededBytes } from "../seeded-bytes.ts";
import {
  abortMultipart,
  completeMultipart,
  deleteObjects,
  listParts,
  uploadPart,
} from "./multipart-client.ts";
import type { S3Client } from "./s3-client.ts";
import {
  BUCKET,
  contentOf,
  LAST_PART,
  objects,
  type S3Seed,
  type UploadName,
  withObject,
  withoutObjects,
} from "./s3-seed.ts";

/** One request of the S3 API on the seed. */
export interface S3Scenario {
  readonly name: string;
  act(s3: S3Client, seed: S3Seed): Promise<HttpResponse>;
  /** The status of success. */
  readonly status: number;
  /** The visible files after it. Default: as before. */
  after?(before: Inventory, seed: S3Seed): Inventory;
  /** The part that it stores. */
  readonly stores?: NewPart;
  /** The upload that it completes or aborts. */
  readonly completes?: UploadName;
  readonly aborts?: UploadName;
}

export interface NewPart {
  readonly upload: UploadName;
  readonly number: number;
  readonly bytes: Uint8Array;
}

const BODY = seededBytes(9, 150_000);

const putting = (what: string, key: string): S3Scenario => ({
  name: `PutObject, ${what}`,
  act: (s3) => s3.send("PUT", key, { body: BODY }),
  status: 200,
  after: (before) => withObject(before, key, BODY),
});

const copying = (what: string, to: string): S3Scenario => ({
  name: `CopyObject, ${what}`,
  act: (s3) => s3.send("PUT", to, { headers: { "x-amz-copy-source": `/${objects.only}` } }),
  status: 200,
  after: (before) => {
    const source = before.files.get(objects.only);
    if (source === undefined) throw new Error("The source is not in the seed.");
    const { folders } = withObject(before, to, BODY);
    return { files: new Map([...before.files, [to, { ...source, id: null }]]), folders };
  },
});

const deleting = (what: string, key: string): S3Scenario => ({
  name: `DeleteObject, ${what}`,
  act: (s3) => s3.send("DELETE", key),
  status: 204,
  after: (before) => withoutObjects(before, [key]),
});

const storing = (what: string, stores: NewPart): S3Scenario => ({
  name: `UploadPart, ${what}`,
  act: (s3, { uploads }) => uploadPart(s3, uploads[stores.upload], stores.number, stores.bytes),
  status: 200,
  stores,
});

const completing = (what: string, upload: UploadName): S3Scenario => ({
  name: `CompleteMultipartUpload, ${what}`,
  act: async (s3, { uploads }) => {
    const parts = await listParts(s3, uploads[upload]);
    return completeMultipart(s3, uploads[upload], parts ?? new Map());
  },
  status: 200,
  after: (before, { uploads }) =>
    withObject(before, uploads[upload].key, contentOf(uploads[upload])),
  completes: upload,
});

const DELETED = [objects.only, ...objects.several, objects.kept];

export const s3Scenarios: readonly S3Scenario[] = [
  putting("new", `${BUCKET}/docs/new.bin`),
  putting("in new folders", `${BUCKET}/a/b/new.bin`),
  putting("replacing", objects.replaced),
  copying("in new folders", `${BUCKET}/c/d/copy.bin`),
  copying("replacing", objects.replaced),
  deleting("alone", objects.top),
  deleting("with its folders", objects.only),
  {
    name: "DeleteObjects, with their folders",
    act: (s3) =>
      deleteObjects(
        s3,
        BUCKET,
        DELETED.map((key) => key.slice(BUCKET.length + 1)),
      ),
    status: 200,
    after: (before) => withoutObjects(before, DELETED),
  },
  {
    name: "CreateMultipartUpload",
    act: (s3) => s3.send("POST", `${BUCKET}/other.bin`, { query: "uploads=" }),
    status: 200,
  },
  storing("the first", { upload: "fresh", number: 1, bytes: LAST_PART }),
  storing("in place", { upload: "growing", number: 2, bytes: LAST_PART }),
  storing("replacing", { upload: "ready", number: 2, bytes: seededBytes(6, 200_000) }),
  completing("parts in place", "ready"),
  completing("by copying", "gapped"),
  {
    name: "AbortMultipartUpload",
    act: (s3, { uploads }) => abortMultipart(s3, uploads.ready),
    status: 204,
    aborts: "ready",
  },
];
