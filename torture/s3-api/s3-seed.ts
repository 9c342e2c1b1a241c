import { join } from "node:path";
import type { Signing } from "../../test/s3-api/sign-request.ts";
import { digestOf, emptyInventory, type Inventory, withFile, withFolder } from "../inventory.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { startServer } from "../server-process.ts";
import { createMultipart, uploadPart } from "./multipart-client.ts";
import { connectS3, expectStatus, readCredentials, type S3Client } from "./s3-client.ts";

/** A stopped server's data folder with a bucket and open multipart uploads. */
export interface S3Seed {
  readonly dataPath: string;
  readonly inventory: Inventory;
  readonly credentials: Signing;
  readonly uploads: Readonly<Record<UploadName, SeedUpload>>;
}

/**
 * `fresh` has no parts, and `growing` has the first. The parts of `ready` are in place. `gapped` lacks the
 * second, so that completing it copies, and it replaces an object.
 */
export type UploadName = "fresh" | "growing" | "ready" | "gapped";

export interface SeedUpload {
  readonly key: string;
  readonly id: string;
  /** The parts that are stored, by number. */
  readonly parts: ReadonlyMap<number, Uint8Array>;
}

export const BUCKET = "photos";
/** A folder that was created as such. It is an object while it is empty. */
export const EXPLICIT = `${BUCKET}/kept`;

/** The keys of the seed's objects. Apart from `kept`, no folder exists without them. */
export const objects = {
  top: `${BUCKET}/top.txt`,
  replaced: `${BUCKET}/docs/a.bin`,
  only: `${BUCKET}/deep/er/only.bin`,
  several: [`${BUCKET}/wide/x.bin`, `${BUCKET}/wide/y/z.bin`, `${BUCKET}/wide/y/w.bin`],
  kept: `${EXPLICIT}/in.txt`,
} as const;

const PART_SIZE = 5 * 1024 ** 2;
export const LAST_PART = seededBytes(5, 300_000);
const FIRST_PART = seededBytes(4, PART_SIZE);
const UPLOADS: Readonly<Record<UploadName, Pick<SeedUpload, "key" | "parts">>> = {
  fresh: { key: `${BUCKET}/new/er/fresh.bin`, parts: new Map() },
  growing: { key: `${BUCKET}/big/growing.bin`, parts: new Map([[1, FIRST_PART]]) },
  ready: {
    key: `${BUCKET}/up/on/ready.bin`,
    parts: new Map([
      [1, FIRST_PART],
      [2, LAST_PART],
    ]),
  },
  gapped: {
    key: objects.replaced,
    parts: new Map([
      [1, FIRST_PART],
      [3, LAST_PART],
    ]),
  },
};

export async function makeS3Seed(folder: string): Promise<S3Seed> {
  const dataPath = join(folder, "seed");
  const server = await startServer(dataPath);
  try {
    const credentials = await readCredentials(server);
    const s3 = connectS3(server, credentials);
    expectStatus(await s3.send("PUT", BUCKET), 200);
    expectStatus(await s3.send("PUT", `${EXPLICIT}/`), 200);
    let inventory = withFolder(emptyInventory, EXPLICIT);
    for (const [at, key] of Object.values(objects).flat().entries()) {
      const body = seededBytes(at + 1, 40_000 * at + 300);
      expectStatus(await s3.send("PUT", key, { body }), 200);
      inventory = withObject(inventory, key, body);
    }
    const uploads = {
      fresh: await begin(s3, "fresh"),
      growing: await begin(s3, "growing"),
      ready: await begin(s3, "ready"),
      gapped: await begin(s3, "gapped"),
    };
    await server.stop();
    return { dataPath, inventory, credentials, uploads };
  } finally {
    await server.kill();
  }
}

async function begin(s3: S3Client, name: UploadName): Promise<SeedUpload> {
  const { key, parts } = UPLOADS[name];
  const upload = { ...(await createMultipart(s3, key)), parts };
  for (const [number, bytes] of parts) {
    expectStatus(await uploadPart(s3, upload, number, bytes), 200);
  }
  return upload;
}

/** The inventory with a private object of unknown id. */
export const withObject = (inventory: Inventory, key: string, body: Uint8Array): Inventory =>
  withFile(inventory, key, {
    id: null,
    visibility: "private",
    size: body.length,
    digest: digestOf(body),
  });

/** The inventory after these objects are deleted, with the implicit folders that this empties. */
export function withoutObjects(inventory: Inventory, keys: readonly string[]): Inventory {
  const gone = new Set(keys);
  const files = new Map([...inventory.files].filter(([key]) => !gone.has(key)));
  const isNeeded = (folder: string): boolean =>
    [EXPLICIT, ...files.keys()].some((key) => key === folder || key.startsWith(`${folder}/`));
  return { files, folders: new Set([...inventory.folders].filter(isNeeded)) };
}

export const contentOf = ({ parts }: Pick<SeedUpload, "parts">): Uint8Array =>
  Buffer.concat([...parts.values()]);
