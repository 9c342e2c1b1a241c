import { parseName } from "../../domain/names/name.ts";
import { numberedFolderName, numberedName } from "../../domain/names/numbered-name.ts";
import type { Visibility } from "../../domain/records.ts";

/*
 * A simple model of the tree, the trash and the versions: nodes with parents, and nothing of keys,
 * hidden folders or blobs that are condemned. Ids are those of the catalog.
 */

export interface ModelFolder {
  readonly id: string;
  name: string;
  parent: string | null;
  /** Of new files in it. Default: that of its parent. */
  default?: Visibility | null;
}

export interface ModelFile {
  readonly id: string;
  name: string;
  parent: string;
  /** Stands for the content. */
  blob: number;
  /** Earlier contents, with what they expire at. */
  versions: { blob: number; expires: boolean }[];
}

/** In the trash: with everything inside, if it is a folder. */
export interface ModelItem {
  readonly id: string;
  readonly expires: boolean;
  /** The ids of the folders above it and its own, with the names at the deletion, from the root down. */
  readonly path: readonly { readonly id: string; readonly name: string }[];
  readonly folders: readonly ModelFolder[];
  readonly files: readonly ModelFile[];
}

export class TrashModel {
  readonly root: string;
  readonly folders = new Map<string, ModelFolder>();
  readonly files = new Map<string, ModelFile>();
  readonly trash = new Map<string, ModelItem>();
  /** Also those that are gone, with their last names. */
  readonly #everyFolder = new Map<string, ModelFolder>();
  /** The folders that restores made, by the ids of those that were gone. */
  readonly #standIns = new Map<string, string>();

  constructor(root: string) {
    this.root = root;
    this.addFolder({ id: root, name: "", parent: null });
  }

  addFolder(folder: ModelFolder): void {
    this.folders.set(folder.id, folder);
    this.#everyFolder.set(folder.id, folder);
  }

  keyOf(id: string): string {
    const node = this.files.get(id) ?? this.folders.get(id);
    if (node?.parent == null) return "";
    const above = this.keyOf(node.parent);
    return above === "" ? node.name : `${above}/${node.name}`;
  }

  /** What new files in a folder get. */
  inherited(id: string): Visibility | null {
    const folder = this.folders.get(id);
    return folder?.default ?? (folder?.parent == null ? null : this.inherited(folder.parent));
  }

  child(parent: string, name: string): ModelFolder | ModelFile | undefined {
    for (const node of [...this.folders.values(), ...this.files.values()]) {
      if (node.parent === parent && node.name === name) return node;
    }
    return undefined;
  }

  isBelow(id: string, top: string): boolean {
    for (let at: string | null = id; at !== null; at = this.folders.get(at)?.parent ?? null) {
      if (at === top) return true;
    }
    return false;
  }

  /** Everything in a folder, and the folder. */
  inside(top: string): { folders: ModelFolder[]; files: ModelFile[] } {
    return {
      folders: [...this.folders.values()].filter(({ id }) => this.isBelow(id, top)),
      files: [...this.files.values()].filter(({ parent }) => this.isBelow(parent, top)),
    };
  }

  remove(id: string): void {
    if (this.files.delete(id)) return;
    const { folders, files } = this.inside(id);
    for (const folder of folders) this.folders.delete(folder.id);
    for (const file of files) this.files.delete(file.id);
  }

  delete(id: string, expires: boolean): void {
    const file = this.files.get(id);
    const { folders, files } = file ? { folders: [], files: [file] } : this.inside(id);
    this.trash.set(id, { id, expires, path: this.#pathTo(id), folders, files });
    this.remove(id);
  }

  /** The order of a request: folders, each after what contained it, then files by their folders. */
  inOrder(ids: Iterable<string>): ModelItem[] {
    const items = [...new Set(ids)]
      .sort()
      .flatMap((id) => this.trash.get(id) ?? [])
      .sort((a, b) => compareText(this.keyOfPlace(a), this.keyOfPlace(b)));
    const ordered = new Set<ModelItem>();
    const add = (item: ModelItem): void => {
      for (const { id } of item.path.slice(0, -1)) {
        for (const above of [id, this.#standIns.get(id)]) {
          const container = items.find((each) => each.id === above);
          if (container !== undefined && !ordered.has(container)) add(container);
        }
      }
      ordered.add(item);
    };
    for (const item of items) if (item.folders.length > 0 && !ordered.has(item)) add(item);
    const files = items.filter(({ folders }) => folders.length === 0);
    const groups = Map.groupBy(files, ({ path }) => path.at(-2)?.id ?? "");
    return [...ordered, ...[...groups.values()].flat()];
  }

  /** Where a restore puts it, but for names that are taken. */
  keyOfPlace(item: ModelItem): string {
    const { parent, missing } = this.#placeOf(item);
    const names = [...missing, item.path.at(-1)].map((node) => node?.name ?? "");
    const above = this.keyOf(parent);
    return [...(above === "" ? [] : [above]), ...names].join("/");
  }

  /**
   * Moves an item back under a name. Returns its key. `made` gives the id of a folder that the catalog
   * has made for a key. A folder whose name a file has is made under another name. What was made stands
   * for the folder that was gone.
   */
  restore(item: ModelItem, name: string, made: (key: string) => string): string {
    this.trash.delete(item.id);
    let { parent, missing } = this.#placeOf(item);
    for (const gone of missing) parent = this.#folderIn(parent, gone, made);
    for (const folder of item.folders) this.folders.set(folder.id, folder);
    for (const file of item.files) this.files.set(file.id, file);
    this.#standIns.delete(item.id);
    const node = this.files.get(item.id) ?? this.folders.get(item.id);
    if (node !== undefined) Object.assign(node, { name, parent });
    return this.keyOf(item.id);
  }

  /** The deepest folder above it that is in the tree or stood for there, and those that are not, from there down. */
  #placeOf({ path }: ModelItem) {
    const above = path.slice(0, -1).map(({ id }) => this.#everyFolder.get(id) ?? unknown(id));
    const depth = above.findLastIndex(({ id }) => this.folders.has(this.#standInOf(id)));
    return {
      parent: this.#standInOf(above[depth]?.id ?? this.root),
      missing: above.slice(depth + 1).map(({ id, name }) => ({ id, name })),
    };
  }

  #standInOf(id: string): string {
    const next = this.folders.has(id) ? undefined : this.#standIns.get(id);
    return next === undefined ? id : this.#standInOf(next);
  }

  #folderIn(
    parent: string,
    { id: gone, name }: { readonly id: string; readonly name: string },
    made: (key: string) => string,
  ): string {
    const there = this.child(parent, name)?.id ?? "";
    if (this.folders.has(there)) return there;
    const free = this.freeName(parent, name, numberedFolderName);
    const key = this.keyOf(parent);
    const id = made(key === "" ? free : `${key}/${free}`);
    this.addFolder({ id, name: free, parent });
    this.#standIns.set(gone, id);
    return id;
  }

  freeName(parent: string, name: string, numbered = numberedName): string {
    if (this.child(parent, name) === undefined) return name;
    for (let number = 2; ; number += 1) {
      const free = numbered(parseName(name), number);
      if (this.child(parent, free) === undefined) return free;
    }
  }

  expire(): void {
    for (const { id, expires } of this.trash.values()) if (expires) this.trash.delete(id);
    const kept = [...this.trash.values()].flatMap(({ files }) => files);
    for (const file of [...this.files.values(), ...kept]) {
      file.versions = file.versions.filter(({ expires }) => !expires);
    }
  }

  /** Of everything in the tree and in the trash, and of all versions. */
  blobs(): number[] {
    const kept = [...this.trash.values()].flatMap(({ files }) => files);
    return [...this.files.values(), ...kept]
      .flatMap(({ blob, versions }) => [blob, ...versions.map((version) => version.blob)])
      .sort((a, b) => a - b);
  }

  #pathTo(id: string): { id: string; name: string }[] {
    const path: { id: string; name: string }[] = [];
    for (let at: string | null = id; at !== null; ) {
      const node: ModelFile | ModelFolder | undefined = this.files.get(at) ?? this.folders.get(at);
      path.unshift({ id: at, name: node?.name ?? "" });
      at = node?.parent ?? null;
    }
    return path;
  }
}

function unknown(id: string): never {
  throw new Error(`The model does not know the folder ${id}.`);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
