import { seedBundles } from "../kill/operations.ts";
import { makeSeed, type Seed } from "../kill/seed.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { startServer } from "../server-process.ts";
import { trackUpload, type UploadNotes } from "./track-upload.ts";
import { addMembers, createBatch, createUpload, type Members } from "./upload-client.ts";

/** A stopped server's data folder with open uploads and batches. */
export interface UploadSeed extends Seed {
  /** Outside of batches. */
  readonly uploads: Readonly<Record<UploadName, UploadNotes>>;
  readonly batches: Readonly<Record<BatchName, BatchNotes>>;
}

/** `partial` has some of its bytes, `fresh` none; `replacing` has some and replaces a file. */
export type UploadName = "partial" | "fresh" | "replacing";
/** `ready` can be committed; `filling` has an upload that is not complete. */
export type BatchName = "ready" | "filling";

export interface BatchNotes {
  /** Path of the batch URL. */
  readonly path: string;
  /** By key. */
  readonly members: ReadonlyMap<string, Uint8Array>;
  readonly upload?: UploadNotes;
}

/** The file that `replacing` replaces. */
const REPLACED = "docs/a.txt";

function oldContent(): Uint8Array {
  const content = seedBundles.find((bundle) => bundle.has(REPLACED))?.get(REPLACED);
  if (content === undefined) throw new Error(`${REPLACED} is not in the seed.`);
  return content;
}

const PARTIAL_SIZE = 600_000;

export async function makeUploadSeed(folder: string): Promise<UploadSeed> {
  const seed = await makeSeed(folder);
  const server = await startServer(seed.dataPath);

  async function begin(input: {
    readonly key: string;
    readonly size: number;
    readonly sent: number;
    readonly replaced?: Uint8Array;
    readonly batch?: { readonly path: string; readonly folder: string };
  }): Promise<UploadNotes> {
    const { key, size, sent, replaced, batch } = input;
    const content = seededBytes(size, size);
    const [parent, name] = split(batch === undefined ? key : key.slice(batch.folder.length + 1));
    const conflict = replaced === undefined ? {} : { onConflict: "replace" as const };
    const path = await createUpload(
      server,
      { folder: parent, name, size, ...conflict },
      batch?.path,
    );
    const notes = {
      path,
      key,
      content,
      acknowledged: 0,
      isSealed: batch !== undefined,
      ...(replaced === undefined ? {} : { replaced }),
    };
    const upload = trackUpload(notes, fail);
    if (sent > 0) upload.note(await upload.send(server, sent));
    if (upload.acknowledged !== sent)
      throw new Error(`The seed has ${upload.acknowledged} bytes of ${key}.`);
    return { ...notes, acknowledged: sent };
  }

  async function makeBatch(root: string, withUpload: boolean): Promise<BatchNotes> {
    const path = await createBatch(server, root);
    const members = new Map<string, Uint8Array>();
    for (const inner of ["css", "img/deep"]) {
      const files: Members = new Map(
        [10, 3_000, 40_000].map((size) => [`${size}.bin`, seededBytes(inner.length, size)]),
      );
      const answer = await addMembers(server, path, inner, files);
      if (answer.status !== 200) throw new Error(`Batch: ${answer.status} ${answer.text}`);
      for (const [name, content] of files) members.set(`${root}/${inner}/${name}`, content);
    }
    if (!withUpload) return { path, members };
    const batch = { path, folder: root };
    const upload = await begin({ key: `${root}/img/late.bin`, size: 200_000, sent: 90_000, batch });
    return { path, members, upload };
  }

  try {
    const uploads = {
      partial: await begin({ key: "docs/partial.bin", size: 1_500_000, sent: PARTIAL_SIZE }),
      fresh: await begin({ key: "new/fresh.bin", size: 400_000, sent: 0 }),
      replacing: await begin({ key: REPLACED, size: 70_001, sent: 1, replaced: oldContent() }),
    };
    const batches = {
      ready: await makeBatch("site", false),
      filling: await makeBatch("album", true),
    };
    await server.stop();
    return { ...seed, uploads, batches };
  } finally {
    await server.kill();
  }
}

const fail = (text: string): never => {
  throw new Error(text);
};

function split(key: string): [folder: string, name: string] {
  const slash = key.lastIndexOf("/");
  return [key.slice(0, Math.max(slash, 0)), key.slice(slash + 1)];
}
