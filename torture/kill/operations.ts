import { api, type Reachable } from "../../test/client.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import {
  type Inventory,
  withFile,
  withMoved,
  withoutFiles,
  withoutFolder,
  withVisibility,
} from "../inventory.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type Bundle, upload, withAnswer, withBundle } from "../uploads.ts";

/** One request that makes a change, and the expected state after it. */
export interface Operation {
  readonly name: string;
  /**
   * Whether the server should have leased a block before, so that the paths of blobs are
   * predictable.
   */
  readonly warmUp: boolean;
  act(server: Reachable, before: Inventory): Promise<HttpResponse>;
  after(before: Inventory): Inventory;
}

const bundle = (...files: (readonly [key: string, size: number])[]): Bundle =>
  new Map(files.map(([key, size], at) => [key, seededBytes(at + key.length, size)]));

/** Contents of every data folder before the operation, one request each. */
export const seedBundles: readonly Bundle[] = [
  bundle(["docs/a.txt", 2_000], ["docs/b.bin", 70_000]),
  bundle(["docs/sub/c.txt", 10]),
  bundle(["docs/sub/deep/d.txt", 0]),
  bundle(["pics/e.png", 30_000], ["pics/f.png", 1]),
  bundle(["top.txt", 300]),
];

const idOf = (inventory: Inventory, key: string): string => {
  const id = inventory.files.get(key)?.id;
  if (id === undefined || id === null) throw new Error(`${key} has not been uploaded.`);
  return id;
};

const folderId = async (server: Reachable, key: string): Promise<string> =>
  (await api(server).browse(key)).folder.id;

const uploading = (name: string, files: Bundle, warmUp = true): Operation => ({
  name,
  warmUp,
  act: (server) => upload(server, files),
  after: (before) => withBundle(before, files),
});

const TEN = Array.from({ length: 10 }, (_, at) => [`docs/${at}.bin`, at * 9_000] as const);
const DELETED = ["docs/a.txt", "docs/sub/c.txt", "pics/e.png", "pics/f.png", "top.txt"];

export const operations: readonly Operation[] = [
  uploading("upload of a file", bundle(["docs/new.bin", 150_000])),
  uploading("upload of ten files", bundle(...TEN)),
  uploading("upload into new folders", bundle(["new/and/deep/file.txt", 5_000]), false),
  {
    name: "rename of a file",
    warmUp: false,
    act: (server, before) =>
      api(server).json("PUT", "/api/files", { id: idOf(before, "docs/a.txt"), name: "z.md" }),
    after: (before) => withMoved(before, "docs/a.txt", "docs/z.md"),
  },
  {
    name: "visibility change of a file",
    warmUp: false,
    act: (server, before) =>
      api(server).json("PUT", "/api/files", { id: idOf(before, "top.txt"), visibility: "private" }),
    after: (before) => withVisibility(before, "top.txt", "private"),
  },
  {
    name: "creation of folders",
    warmUp: false,
    act: (server) => api(server).json("POST", "/api/folders", { folder: "docs/x/y/z" }),
    after: (before) => {
      const placeholder = { id: null, visibility: "public", size: 0, digest: "" } as const;
      return withoutFiles(withFile(before, "docs/x/y/z/file", placeholder), ["docs/x/y/z/file"]);
    },
  },
  {
    name: "rename of a folder",
    warmUp: false,
    act: async (server) =>
      api(server).json("PUT", "/api/folders", {
        id: await folderId(server, "docs"),
        name: "papers",
      }),
    after: (before) => withMoved(before, "docs", "papers"),
  },
  {
    name: "move of a file",
    warmUp: false,
    act: async (server, before) =>
      api(server).json("PUT", "/api/files", {
        id: idOf(before, "docs/b.bin"),
        folderId: await folderId(server, "pics"),
      }),
    after: (before) => withMoved(before, "docs/b.bin", "pics/b.bin"),
  },
  {
    name: "move of a folder",
    warmUp: false,
    act: async (server) =>
      api(server).json("PUT", "/api/folders", {
        id: await folderId(server, "docs/sub"),
        parentId: await folderId(server, "pics"),
      }),
    after: (before) => withMoved(before, "docs/sub", "pics/sub"),
  },
  {
    name: "visibility change of a folder",
    warmUp: false,
    act: async (server) =>
      api(server).json("PUT", "/api/folders", {
        id: await folderId(server, "docs"),
        visibility: "private",
      }),
    after: (before) => withVisibility(before, "docs", "private"),
  },
  {
    name: "deletion of a file",
    warmUp: false,
    act: (server, before) =>
      api(server).json("DELETE", "/api/files", { id: idOf(before, "docs/b.bin") }),
    after: (before) => withoutFiles(before, ["docs/b.bin"]),
  },
  {
    name: "deletion of five files",
    warmUp: false,
    act: (server, before) =>
      api(server).json("DELETE", "/api/files", { ids: DELETED.map((key) => idOf(before, key)) }),
    after: (before) => withoutFiles(before, DELETED),
  },
  {
    name: "deletion of a folder",
    warmUp: false,
    act: async (server) =>
      api(server).json("DELETE", "/api/folders", { id: await folderId(server, "docs") }),
    after: (before) => withoutFolder(before, "docs"),
  },
];

const WARM_UP = bundle(["warm.txt", 4]);

/** Makes the server lease its first block. */
export async function warmUp(server: Reachable, before: Inventory): Promise<Inventory> {
  return withAnswer(before, WARM_UP, await upload(server, WARM_UP));
}
