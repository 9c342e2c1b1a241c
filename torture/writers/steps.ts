import { z } from "zod";
import { api, type Reachable } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { field, filePart, type Part } from "../../test/multipart.ts";
import { filesData } from "../../test/shapes.ts";
import { bytesOf, newContent } from "../content.ts";
import {
  digestOf,
  type Inventory,
  type InventoryFile,
  withFile,
  withFolder,
  withMoved,
  withoutFiles,
  withoutFolder,
  withVisibility,
} from "../inventory.ts";
import { pickAny, pickOne, randomInt } from "../random.ts";

/** A change to request. */
export interface Attempt {
  send(): Promise<HttpResponse>;
  /** The expected status. */
  readonly status: 200 | 409;
  /** The state after the response, or the possible state without one. */
  after(answer?: HttpResponse): Inventory;
}

export interface Situation {
  readonly server: Reachable;
  /** The client's own folder. */
  readonly folder: string;
  readonly inventory: Inventory;
}

/** undefined: the state does not allow this step. May read from the server first. */
export type Step = (situation: Situation) => Promise<Attempt | undefined> | Attempt | undefined;

let names = 0;

function newName(): string {
  names += 1;
  return `${names}.bin`;
}

const smallSize = (): number => pickOne([0, randomInt(1, 500), randomInt(1, 20_000)]);
const megabytes = (): number => randomInt(1_000_000, 4_000_000);

export const uploadOne: Step = (situation) =>
  upload(situation, anyFolder(situation), [smallSize()]);
export const uploadLarge: Step = (situation) =>
  upload(situation, anyFolder(situation), [megabytes()]);
export const uploadSeveral: Step = (situation) =>
  upload(situation, `${anyFolder(situation)}/${newName()}`, [
    smallSize(),
    smallSize(),
    smallSize(),
  ]);

function upload(
  { server, inventory }: Situation,
  folder: string,
  sizes: readonly number[],
): Attempt {
  const files = sizes.map((size) => ({ name: newName(), bytes: bytesOf(newContent(size)) }));
  const parts = files.map(({ name, bytes }) => filePart(name, bytes));
  return {
    status: 200,
    send: () => api(server).upload([field("folder", folder), ...parts]),
    after(answer) {
      const stored = answer === undefined ? [] : expectData(answer, filesData).files;
      return files.reduce((before, { name, bytes }) => {
        const key = `${folder}/${name}`;
        const id = stored.find((file) => file.key === key)?.id ?? null;
        const digest = digestOf(bytes);
        return withFile(before, key, { id, visibility: "public", size: bytes.length, digest });
      }, inventory);
    },
  };
}

/**
 * The folder field comes last, so that the bytes are already stored when the conflict is detected.
 */
export const uploadTaken: Step = ({ server, inventory }) => {
  const taken = pickAny([...inventory.files.keys()]);
  if (taken === undefined) return undefined;
  const fresh: Part[] = [filePart(newName(), bytesOf(newContent(smallSize())))];
  const parts = [...fresh, filePart(nameOf(taken), bytesOf(newContent(smallSize())))];
  return {
    status: 409,
    send: () => api(server).upload([...parts, field("folder", folderOf(taken))]),
    after: () => inventory,
  };
};

export const renameFile: Step = ({ server, inventory }) => {
  const [key, file] = anyFile(inventory);
  if (key === undefined) return undefined;
  const name = newName();
  return {
    status: 200,
    send: () => api(server).json("PUT", "/api/files", { id: file.id, name }),
    after: () => withMoved(inventory, key, `${folderOf(key)}/${name}`),
  };
};

export const moveFile: Step = async (situation) => {
  const { server, inventory } = situation;
  const [key, file] = anyFile(inventory);
  const to = anyFolder(situation);
  if (key === undefined || !inventory.folders.has(to)) return undefined;
  const { id: folderId } = (await api(server).browse(to)).folder;
  return {
    status: 200,
    send: () => api(server).json("PUT", "/api/files", { id: file.id, folderId }),
    after: () => withMoved(inventory, key, `${to}/${nameOf(key)}`),
  };
};

export const deleteFile: Step = ({ server, inventory }) => {
  const [key, file] = anyFile(inventory);
  if (key === undefined) return undefined;
  return {
    status: 200,
    send: () => api(server).json("DELETE", "/api/files", { id: file.id }),
    after: () => withoutFiles(inventory, [key]),
  };
};

export const deleteSeveral: Step = ({ server, inventory }) => {
  const files = [...inventory.files].filter(() => randomInt(0, 4) === 0).slice(0, 20);
  if (files.length === 0) return undefined;
  const ids = files.map(([, { id }]) => id);
  return {
    status: 200,
    send: () => api(server).json("DELETE", "/api/files", { ids }),
    after(answer) {
      // A file that is lost already stays in the ledger, so that it is found to be.
      const failed = new Set(answer === undefined ? [] : failuresIn(answer));
      const deleted = files.filter(([, { id }]) => id === null || !failed.has(id));
      return withoutFiles(
        inventory,
        deleted.map(([key]) => key),
      );
    },
  };
};

/** The ids or keys that a deletion of several files did not find. */
export const failuresIn = ({ text }: HttpResponse): string[] =>
  deletion.parse(JSON.parse(text)).data.failed.map(({ id, key }) => id ?? key ?? "");

const failure = z.object({ id: z.string().optional(), key: z.string().optional() });
const deletion = z.object({ data: z.object({ failed: z.array(failure) }) });

export const createFolder: Step = (situation) => {
  const { server, inventory } = situation;
  const folder = `${anyFolder(situation)}/${newName()}`;
  return {
    status: 200,
    send: () => api(server).json("POST", "/api/folders", { folder }),
    after: () => withFolder(inventory, folder),
  };
};

export const renameFolder: Step = async (situation) => {
  const found = await innerFolder(situation);
  if (found === undefined) return undefined;
  const name = newName();
  return {
    status: 200,
    send: () => api(situation.server).json("PUT", "/api/folders", { id: found.id, name }),
    after: () => withMoved(situation.inventory, found.key, `${folderOf(found.key)}/${name}`),
  };
};

export const moveFolder: Step = async (situation) => {
  const { server, inventory } = situation;
  const found = await innerFolder(situation);
  const to = anyFolder(situation);
  if (found === undefined || `${to}/`.startsWith(`${found.key}/`)) return undefined;
  const { id: parentId } = (await api(server).browse(to)).folder;
  return {
    status: 200,
    send: () => api(server).json("PUT", "/api/folders", { id: found.id, parentId }),
    after: () => withMoved(inventory, found.key, `${to}/${nameOf(found.key)}`),
  };
};

export const deleteFolder: Step = async (situation) => {
  const found = await innerFolder(situation);
  if (found === undefined) return undefined;
  return {
    status: 200,
    send: () => api(situation.server).json("DELETE", "/api/folders", { id: found.id }),
    after: () => withoutFolder(situation.inventory, found.key),
  };
};

export const showOrHideFolder: Step = async (situation) => {
  const found = await innerFolder(situation);
  if (found === undefined) return undefined;
  const visibility = pickOne<InventoryFile["visibility"]>(["public", "private"]);
  return {
    status: 200,
    send: () => api(situation.server).json("PUT", "/api/folders", { id: found.id, visibility }),
    after: () => withVisibility(situation.inventory, found.key, visibility),
  };
};

/** A random existing folder, not too deep; otherwise the writer's own. */
function anyFolder({ inventory, folder }: Situation): string {
  const shallow = [...inventory.folders].filter((key) => key.split("/").length < 5);
  return pickAny(shallow) ?? folder;
}

async function innerFolder({ server, inventory, folder }: Situation) {
  const key = pickAny([...inventory.folders].filter((inner) => inner !== folder));
  return key === undefined ? undefined : (await api(server).browse(key)).folder;
}

function anyFile(inventory: Inventory): [string, InventoryFile] | [undefined] {
  return pickAny([...inventory.files]) ?? [undefined];
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf("/"));
const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
