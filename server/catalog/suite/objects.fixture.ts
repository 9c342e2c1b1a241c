import { type Caller, COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName, splitKey } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, MetadataText } from "../../domain/records.ts";
import { writeS3Attributes } from "../../semantics/s3/attributes.ts";
import type { Catalog } from "../port/catalog.ts";
import type {
  NewObject,
  ObjectEntry,
  ObjectListRequest,
  ObjectToRemove,
  RemovedObject,
} from "../port/objects.ts";
import { createUploader } from "./catalog.fixture.ts";

/** Stores objects as the service does. Keys begin with the bucket; those of folders end with a slash. */
export function createObjects(catalog: Catalog, owner = "tester") {
  const uploader = createUploader(catalog, owner);

  const self = {
    owner,
    takeBlob: uploader.takeBlob,
    uploader,
    async newObject(path: string, wanted: Partial<NewObject> = {}): Promise<NewObject> {
      const { folder, name } = splitKey(parseKey(path)) ?? {};
      return {
        folder: folder ?? parseKey(""),
        file: {
          name: name ?? parseName("unnamed"),
          mimeType: "text/plain",
          size: 3,
          blobId: await uploader.takeBlob(),
          checksum: 33,
          sha256: null,
          s3: writeS3Attributes({ etag: etagOf(path) }),
        },
        visibility: "private",
        metadata: null,
        owner,
        ...wanted,
      };
    },
    async put(
      path: string,
      { caller = COMMAND_EVERYWHERE, ...wanted }: Partial<NewObject> & { caller?: Caller } = {},
    ): Promise<FileRecord> {
      return catalog.putObject(caller, await self.newObject(path, wanted));
    },
    putFolder: (path: string): Promise<FolderRecord> =>
      catalog.putFolderObject(COMMAND_EVERYWHERE, { key: parseKey(path) }),
    async fill(paths: readonly string[]): Promise<void> {
      for (const path of paths) {
        if (path.endsWith("/")) await self.putFolder(path);
        else await self.put(path);
      }
    },
    remove: async (
      paths: readonly string[],
      wanted: { expect?: ObjectToRemove["expect"]; caller?: Caller } = {},
    ): Promise<readonly RemovedObject[]> => {
      const { removed } = await catalog.removeObjects(wanted.caller ?? COMMAND_EVERYWHERE, {
        objects: paths.map((path) => ({
          key: parseKey(path),
          isFolder: path.endsWith("/"),
          expect: wanted.expect,
        })),
      });
      return removed;
    },
    async list(
      bucket: string,
      {
        caller = COMMAND_EVERYWHERE,
        ...wanted
      }: Partial<Omit<ObjectListRequest, "bucket">> & { caller?: Caller } = {},
    ): Promise<{ keys: string[]; more: boolean }> {
      const key = parseKey(bucket);
      const list = await catalog.listObjects(caller, {
        bucket: key,
        prefix: "",
        after: "",
        limit: 1000,
        ...wanted,
      });
      if (list === undefined) throw new Error(`There is no bucket ${bucket}.`);
      return { keys: list.entries.map((entry) => textOf(bucket, entry)), more: list.more };
    },
  };
  return self;
}

export const etagOf = (path: string): string =>
  new Bun.CryptoHasher("md5").update(path).digest("hex");

export const metadataOf = (fields: Readonly<Record<string, string>>): MetadataText =>
  JSON.stringify(fields) as MetadataText;

/** The key without the bucket; a common prefix with "=" before it. */
function textOf(bucket: string, entry: ObjectEntry): string {
  if (entry.kind === "prefix") return `=${entry.prefix}`;
  if (entry.kind === "object") return entry.file.key.slice(bucket.length + 1);
  return `${entry.folder.key.slice(bucket.length + 1)}/`;
}
