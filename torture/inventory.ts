/*
 * What a server holds, or is believed to hold. Both sides have one shape, so that what was promised
 * and what is there can be laid side by side.
 */

export interface Inventory {
  /** By key. */
  readonly files: ReadonlyMap<string, InventoryFile>;
  /** Keys; the root is not among them. */
  readonly folders: ReadonlySet<string>;
}

export interface InventoryFile {
  /** null: the answer that told it never came. */
  readonly id: string | null;
  readonly visibility: "public" | "private";
  readonly size: number;
  /** Of the bytes as they are delivered, or what came instead of them. */
  readonly digest: string;
}

export const digestOf = (content: Uint8Array): string => Bun.SHA256.hash(content, "hex");

export const emptyInventory: Inventory = { files: new Map(), folders: new Set() };

/** The ledger with a file that was acknowledged, and every folder on the way to it. */
export function withFile(holdings: Inventory, key: string, file: InventoryFile): Inventory {
  const { folders } = withFolder(holdings, key.slice(0, Math.max(0, key.lastIndexOf("/"))));
  return { files: new Map([...holdings.files, [key, file]]), folders };
}

/** The ledger with a folder, and every folder on the way to it. */
export function withFolder(holdings: Inventory, folder: string): Inventory {
  const names = folder === "" ? [] : folder.split("/");
  const way = names.map((_, depth) => names.slice(0, depth + 1).join("/"));
  return { files: holdings.files, folders: new Set([...holdings.folders, ...way]) };
}

/** The ledger without these files. */
export function withoutFiles(holdings: Inventory, keys: readonly string[]): Inventory {
  const gone = new Set(keys);
  const files = [...holdings.files].filter(([key]) => !gone.has(key));
  return { files: new Map(files), folders: holdings.folders };
}

const isWithin = (key: string, folder: string): boolean =>
  key === folder || key.startsWith(`${folder}/`);

/** The ledger without a folder and all in it. */
export function withoutFolder(holdings: Inventory, folder: string): Inventory {
  return {
    files: new Map([...holdings.files].filter(([key]) => !isWithin(key, folder))),
    folders: new Set([...holdings.folders].filter((key) => !isWithin(key, folder))),
  };
}

/** The ledger with the file or the folder at one key, and all in it, at another. */
export function withMoved(holdings: Inventory, from: string, to: string): Inventory {
  const moved = (key: string): string => (isWithin(key, from) ? to + key.slice(from.length) : key);
  return {
    files: new Map([...holdings.files].map(([key, file]) => [moved(key), file])),
    folders: new Set([...holdings.folders].map(moved)),
  };
}

/** The ledger with everything in a folder as visible as told. */
export function withVisibility(
  holdings: Inventory,
  folder: string,
  visibility: InventoryFile["visibility"],
): Inventory {
  const files = [...holdings.files].map(([key, file]): [string, InventoryFile] => [
    key,
    isWithin(key, folder) ? { ...file, visibility } : file,
  ]);
  return { files: new Map(files), folders: holdings.folders };
}

export interface Differences {
  /** Promised, and gone or changed: one sentence each. */
  readonly lost: readonly string[];
  /** There, and promised to nobody. */
  readonly extra: readonly string[];
}

export function compare(promised: Inventory, seen: Inventory): Differences {
  const lost: string[] = [];
  for (const [key, wanted] of promised.files) {
    const found = seen.files.get(key);
    if (found === undefined) lost.push(`The file ${key} is gone.`);
    else if (!isSame(wanted, found)) {
      lost.push(`The file ${key} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}.`);
    }
  }
  for (const key of promised.folders) {
    if (!seen.folders.has(key)) lost.push(`The folder ${key} is gone.`);
  }
  const extra = [
    ...[...seen.files.keys()].filter((key) => !promised.files.has(key)),
    ...[...seen.folders].filter((key) => !promised.folders.has(key)),
  ].map((key) => `${key} is there, and should not be.`);
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
