import type { Answer } from "../../test/answer.ts";
import { api, type Reachable } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import { field, filePart, type Part } from "../../test/multipart.ts";
import { filesAnswer } from "../../test/shapes.ts";
import { bytesOf, newContent } from "../content.ts";
import { anyOf, between, oneOf } from "../dice.ts";
import {
  digestOf,
  type HeldFile,
  type Holdings,
  withFile,
  withFolder,
  withMoved,
  withoutFiles,
  withoutFolder,
  withVisibility,
} from "../holdings.ts";

/** A change that is about to be asked for. */
export interface Attempt {
  send(): Promise<Answer>;
  /** What the answer must be. */
  readonly status: 200 | 409;
  /** What is held once the answer is there, or may be held as long as it is not. */
  after(answer?: Answer): Holdings;
}

export interface Situation {
  readonly server: Reachable;
  /** Everything it does is done in here. */
  readonly folder: string;
  readonly held: Holdings;
}

/** undefined: there is nothing to do it with. May read from the server first. */
export type Step = (situation: Situation) => Promise<Attempt | undefined> | Attempt | undefined;

let names = 0;

function newName(): string {
  names += 1;
  return `${names}.bin`;
}

const smallSize = (): number => oneOf([0, between(1, 500), between(1, 20_000)]);
const megabytes = (): number => between(1_000_000, 4_000_000);

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

function upload({ server, held }: Situation, folder: string, sizes: readonly number[]): Attempt {
  const files = sizes.map((size) => ({ name: newName(), bytes: bytesOf(newContent(size)) }));
  const parts = files.map(({ name, bytes }) => filePart(name, bytes));
  return {
    status: 200,
    send: () => api(server).upload([field("folder", folder), ...parts]),
    after(answer) {
      const stored = answer === undefined ? [] : expectData(answer, filesAnswer).files;
      return files.reduce((before, { name, bytes }) => {
        const key = `${folder}/${name}`;
        const id = stored.find((file) => file.key === key)?.id ?? null;
        const digest = digestOf(bytes);
        return withFile(before, key, { id, visibility: "public", size: bytes.length, digest });
      }, held);
    },
  };
}

/** The folder comes last, so that the bytes have been stored by the time that they are refused. */
export const uploadTaken: Step = ({ server, held }) => {
  const taken = anyOf([...held.files.keys()]);
  if (taken === undefined) return undefined;
  const fresh: Part[] = [filePart(newName(), bytesOf(newContent(smallSize())))];
  const parts = [...fresh, filePart(nameOf(taken), bytesOf(newContent(smallSize())))];
  return {
    status: 409,
    send: () => api(server).upload([...parts, field("folder", folderOf(taken))]),
    after: () => held,
  };
};

export const renameFile: Step = ({ server, held }) => {
  const [key, file] = anyFile(held);
  if (key === undefined) return undefined;
  const name = newName();
  return {
    status: 200,
    send: () => api(server).json("PUT", "/api/files", { id: file.id, name }),
    after: () => withMoved(held, key, `${folderOf(key)}/${name}`),
  };
};

export const moveFile: Step = async (situation) => {
  const { server, held } = situation;
  const [key, file] = anyFile(held);
  const to = anyFolder(situation);
  if (key === undefined || !held.folders.has(to)) return undefined;
  const { id: folderId } = (await api(server).browse(to)).folder;
  return {
    status: 200,
    send: () => api(server).json("PUT", "/api/files", { id: file.id, folderId }),
    after: () => withMoved(held, key, `${to}/${nameOf(key)}`),
  };
};

export const deleteFile: Step = ({ server, held }) => {
  const [key, file] = anyFile(held);
  if (key === undefined) return undefined;
  return {
    status: 200,
    send: () => api(server).json("DELETE", "/api/files", { id: file.id }),
    after: () => withoutFiles(held, [key]),
  };
};

export const deleteSeveral: Step = ({ server, held }) => {
  const files = [...held.files].filter(() => between(0, 4) === 0).slice(0, 20);
  if (files.length === 0) return undefined;
  const ids = files.map(([, { id }]) => id);
  return {
    status: 200,
    send: () => api(server).json("DELETE", "/api/files", { ids }),
    after: () =>
      withoutFiles(
        held,
        files.map(([key]) => key),
      ),
  };
};

export const createFolder: Step = (situation) => {
  const { server, held } = situation;
  const folder = `${anyFolder(situation)}/${newName()}`;
  return {
    status: 200,
    send: () => api(server).json("POST", "/api/folders", { folder }),
    after: () => withFolder(held, folder),
  };
};

export const renameFolder: Step = async (situation) => {
  const found = await innerFolder(situation);
  if (found === undefined) return undefined;
  const name = newName();
  return {
    status: 200,
    send: () => api(situation.server).json("PUT", "/api/folders", { id: found.id, name }),
    after: () => withMoved(situation.held, found.key, `${folderOf(found.key)}/${name}`),
  };
};

export const moveFolder: Step = async (situation) => {
  const { server, held } = situation;
  const found = await innerFolder(situation);
  const to = anyFolder(situation);
  if (found === undefined || `${to}/`.startsWith(`${found.key}/`)) return undefined;
  const { id: parentId } = (await api(server).browse(to)).folder;
  return {
    status: 200,
    send: () => api(server).json("PUT", "/api/folders", { id: found.id, parentId }),
    after: () => withMoved(held, found.key, `${to}/${nameOf(found.key)}`),
  };
};

export const deleteFolder: Step = async (situation) => {
  const found = await innerFolder(situation);
  if (found === undefined) return undefined;
  return {
    status: 200,
    send: () => api(situation.server).json("DELETE", "/api/folders", { id: found.id }),
    after: () => withoutFolder(situation.held, found.key),
  };
};

export const showOrHideFolder: Step = async (situation) => {
  const found = await innerFolder(situation);
  if (found === undefined) return undefined;
  const visibility = oneOf<HeldFile["visibility"]>(["public", "private"]);
  return {
    status: 200,
    send: () => api(situation.server).json("PUT", "/api/folders", { id: found.id, visibility }),
    after: () => withVisibility(situation.held, found.key, visibility),
  };
};

/** The writer's own folder or one inside it, of those that are there. Never deeper than a few. */
function anyFolder({ held, folder }: Situation): string {
  const shallow = [...held.folders].filter((key) => key.split("/").length < 5);
  return anyOf(shallow) ?? folder;
}

async function innerFolder({ server, held, folder }: Situation) {
  const key = anyOf([...held.folders].filter((inner) => inner !== folder));
  return key === undefined ? undefined : (await api(server).browse(key)).folder;
}

function anyFile(held: Holdings): [string, HeldFile] | [undefined] {
  return anyOf([...held.files]) ?? [undefined];
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf("/"));
const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
