import { digestOf, type Inventory, type InventoryFile } from "../inventory.ts";
import { seededBytes } from "../seeded-bytes.ts";
import type { Members } from "./upload-client.ts";

/** A tree of small files to publish as one batch. */
export interface Site {
  /** Where the batch puts it. */
  readonly root: string;
  /** By folder, relative to the root. */
  readonly folders: ReadonlyMap<string, Members>;
  readonly files: number;
}

export function makeSite(root: string, folders: number, filesPerFolder: number): Site {
  const all = Array.from({ length: folders }, (_, folder): [string, Members] => [
    `part-${folder % 20}/${folder}`,
    new Map(
      Array.from({ length: filesPerFolder }, (_, file) => [
        `${file}.bin`,
        seededBytes(
          folder * filesPerFolder + file,
          100 + ((folder * 7919 + file * 104_729) % 9_000),
        ),
      ]),
    ),
  ]);
  return { root, folders: new Map(all), files: folders * filesPerFolder };
}

/** What is visible once the site is published. */
export function inventoryOf({ root, folders }: Site): Inventory {
  const files = new Map<string, InventoryFile>();
  const keys = new Set([root]);
  for (const [folder, members] of folders) {
    keys.add(`${root}/${folder.slice(0, folder.indexOf("/"))}`);
    keys.add(`${root}/${folder}`);
    for (const [name, content] of members) {
      const size = content.length;
      const file = { id: null, visibility: "public", size, digest: digestOf(content) } as const;
      files.set(`${root}/${folder}/${name}`, file);
    }
  }
  return { files, folders: keys };
}
