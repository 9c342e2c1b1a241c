import { api, type Reachable, send } from "../../test/client.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import type { Inventory } from "../inventory.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { withContent } from "./contents.ts";
import type { BatchName, UploadName, UploadSeed } from "./seed.ts";
import type { UploadNotes } from "./track-upload.ts";
import { addMembers, append, commitBatch } from "./upload-client.ts";

/** One request of a resumable upload or batch on the seed. */
export interface Scenario {
  readonly name: string;
  act(server: Reachable, seed: UploadSeed): Promise<HttpResponse>;
  /** The status of success. */
  readonly status: number;
  /** The visible files after it. Default: as before. */
  after?(before: Inventory, seed: UploadSeed): Inventory;
  /** What it removes. */
  readonly removes?: UploadName | BatchName;
  /** The offset that success acknowledges. */
  readonly acknowledges?: { readonly upload: UploadName; readonly offset: number };
  /** The batch that gets `addedMember`. */
  readonly addsTo?: BatchName;
}

const CHUNK = 500_000;

export const addedMember = { folder: "js", name: "new.js", content: seededBytes(3, 30_000) };

const sendTo = (
  server: Reachable,
  { path, acknowledged, content }: UploadNotes,
  end = content.length,
) => append(server, path, acknowledged, content.subarray(acknowledged, end));

const finishing = (upload: UploadName): Scenario => ({
  name: `last PATCH, ${upload}`,
  act: (server, { uploads }) => sendTo(server, uploads[upload]),
  status: 204,
  after: (before, { uploads }) => withContent(before, uploads[upload].key, uploads[upload].content),
});

export const scenarios: readonly Scenario[] = [
  {
    name: "creation of an upload",
    act: (server) => api(server).json("POST", "/api/uploads", { name: "other.bin", size: 10 }),
    status: 201,
  },
  {
    name: "first PATCH",
    act: (server, { uploads }) => sendTo(server, uploads.fresh, CHUNK / 2),
    status: 204,
    acknowledges: { upload: "fresh", offset: CHUNK / 2 },
  },
  {
    name: "PATCH in the middle",
    act: (server, { uploads }) =>
      sendTo(server, uploads.partial, uploads.partial.acknowledged + CHUNK),
    status: 204,
    acknowledges: { upload: "partial", offset: 600_000 + CHUNK },
  },
  finishing("partial"),
  finishing("fresh"),
  finishing("replacing"),
  {
    name: "cancellation of an upload",
    act: (server, { uploads }) => send(server, "DELETE", uploads.partial.path),
    status: 204,
    removes: "partial",
  },
  {
    name: "form into a batch",
    act: (server, { batches }) => {
      const { folder, name, content } = addedMember;
      return addMembers(server, batches.ready.path, folder, new Map([[name, content]]));
    },
    status: 200,
    addsTo: "ready",
  },
  {
    name: "last PATCH, in a batch",
    act: (server, { batches }) => {
      const { upload } = batches.filling;
      if (upload === undefined) throw new Error("The batch has no upload.");
      return sendTo(server, upload);
    },
    status: 204,
  },
  {
    name: "commit of a batch",
    act: (server, { batches }) => commitBatch(server, batches.ready.path),
    status: 200,
    after: (before, { batches }) => withMembers(before, batches.ready.members),
  },
  {
    name: "drop of a batch",
    act: (server, { batches }) => send(server, "DELETE", batches.filling.path),
    status: 200,
    removes: "filling",
  },
];

export function withMembers(
  inventory: Inventory,
  members: ReadonlyMap<string, Uint8Array>,
): Inventory {
  return [...members].reduce((all, [key, content]) => withContent(all, key, content), inventory);
}
