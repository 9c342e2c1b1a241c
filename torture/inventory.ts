/*
 * The files and folders of a server: the expected ones and the actual ones have the same shape, so
 * that they can be compared.
 */

export interface Inventory {
  /** By key. */
  readonly files: ReadonlyMap<string, InventoryFile>;
  /** Keys, without the root. */
  readonly folders: ReadonlySet<string>;
}

export interface InventoryFile {
  /** null: unknown, because the response was lost. */
  readonly id: string | null;
  readonly visibility: "public" | "private";
  readonly size: number;
  /** Digest of the delivered bytes, or the reason why there are none. */
  readonly digest: string;
}

export const digestOf = (content: Uint8Array): string => Bun.SHA256.hash(content, "hex");

export const emptyInventory: Inventory = { files: new Map(), folders: new Set() };

/** Adds a file and its parent folders. */
export function withFile(inventory: Inventory, key: string, file: InventoryFile): Inventory {
  const { folders } = withFolder(inventory, key.slice(0, Math.max(0, key.lastIndexOf("/"))));
  return { files: new Map([...inventory.files, [key, file]]), folders };
}

/** Adds a folder and its parents. */
export function withFolder(inventory: Inventory, folder: string): Inventory {
  const names = folder === "" ? [] : folder.split("/");
  const parents = names.map((_, depth) => names.slice(0, depth + 1).join("/"));
  return { files: inventory.files, folders: new Set([...inventory.folders, ...parents]) };
}

/** Removes these files. */
export function withoutFiles(inventory: Inventory, keys: readonly string[]): Inventory {
  const gone = new Set(keys);
  const files = [...inventory.files].filter(([key]) => !gone.has(key));
  return { files: new Map(files), folders: inventory.folders };
}

const isWithin = (key: string, folder: string): boolean =>
  key === folder || key.startsWith(`${folder}/`);

/** Removes a folder and its contents. */
export function withoutFolder(inventory: Inventory, folder: string): Inventory {
  return {
    files: new Map([...inventory.files].filter(([key]) => !isWithin(key, folder))),
    folders: new Set([...inventory.folders].filter((key) => !isWithin(key, folder))),
  };
}

/** Moves a file, or a folder and its contents, to another key. */
export function withMoved(inventory: Inventory, from: string, to: string): Inventory {
  const moved = (key: string): string => (isWithin(key, from) ? to + key.slice(from.length) : key);
  return {
    files: new Map([...inventory.files].map(([key, file]) => [moved(key), file])),
    folders: new Set([...inventory.folders].map(moved)),
  };
}

/** Sets the visibility of everything in a folder. */
export function withVisibility(
  inventory: Inventory,
  folder: string,
  visibility: InventoryFile["visibility"],
): Inventory {
  const files = [...inventory.files].map(([key, file]): [string, InventoryFile] => [
    key,
    isWithin(key, folder) ? { ...file, visibility } : file,
  ]);
  return { files: new Map(files), folders: inventory.folders };
}

export interface Differences {
  /** Expected, but missing or changed: one sentence each. */
  readonly lost: readonly string[];
  /** Present, but not expected. */
  readonly extra: readonly string[];
}

export function compare(expected: Inventory, actual: Inventory): Differences {
  const lost: string[] = [];
  for (const [key, wanted] of expected.files) {
    const found = actual.files.get(key);
    if (found === undefined) lost.push(`The file ${key} is missing.`);
    else if (!isSame(wanted, found)) {
      lost.push(`The file ${key} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}.`);
    }
  }
  for (const key of expected.folders) {
    if (!actual.folders.has(key)) lost.push(`The folder ${key} is missing.`);
  }
  const extra = [
    ...[...actual.files.keys()].filter((key) => !expected.files.has(key)),
    ...[...actual.folders].filter((key) => !expected.folders.has(key)),
  ].map((key) => `${key} exists unexpectedly.`);
  return { lost, extra };
}

function isSame(wanted: InventoryFile, found: InventoryFile): boolean {
  return (
    (wanted.id === null || wanted.id === found.id) &&
    wanted.visibility === found.visibility &&
    wanted.size === found.size &&
    wanted.digest === found.digest
  );
}
