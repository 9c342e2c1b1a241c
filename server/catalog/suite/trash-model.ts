import { parseName } from "../../rules/name.ts";
import { numberedName } from "../../rules/numbered-name.ts";
import type { Visibility } from "../../rules/records.ts";

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

  constructor(root: string) {
    this.root = root;
    this.folders.set(root, { id: root, name: "", parent: null });
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

  /** As of a request: folders first, by their keys at the deletion, then files likewise. */
  inOrder(ids: Iterable<string>): ModelItem[] {
    const rank = (item: ModelItem) => (item.folders.length > 0 ? 0 : 1);
    return [...new Set(ids)]
      .sort()
      .flatMap((id) => this.trash.get(id) ?? [])
      .sort((a, b) => rank(a) - rank(b) || compareText(this.oldKeyOf(a), this.oldKeyOf(b)));
  }

  /** Where it was. */
  oldKeyOf({ path }: ModelItem): string {
    return path
      .slice(1)
      .map(({ name }) => name)
      .join("/");
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
   * has made for a key. A folder whose name a file has is made under another name, once in a request:
   * that is in `renamed`.
   */
  restore(
    item: ModelItem,
    name: string,
    renamed: Map<string, string>,
    made: (key: string) => string,
  ): string {
    this.trash.delete(item.id);
    let { parent, missing } = this.#placeOf(item);
    for (const { name: wanted } of missing) {
      parent = this.#folderIn(parent, wanted, renamed, made);
    }
    for (const folder of item.folders) this.folders.set(folder.id, folder);
    for (const file of item.files) this.files.set(file.id, file);
    const node = this.files.get(item.id) ?? this.folders.get(item.id);
    if (node !== undefined) Object.assign(node, { name, parent });
    return this.keyOf(item.id);
  }

  /** The deepest folder above it that is in the tree, and those that are not, from there down. */
  #placeOf({ path }: ModelItem) {
    const above = path.slice(0, -1);
    const depth = above.findLastIndex(({ id }) => this.folders.has(id));
    return { parent: above[depth]?.id ?? this.root, missing: above.slice(depth + 1) };
  }

  #folderIn(
    parent: string,
    name: string,
    renamed: Map<string, string>,
    made: (key: string) => string,
  ): string {
    const there = this.child(parent, name)?.id ?? "";
    if (this.folders.has(there)) return there;
    const before = renamed.get(`${parent}/${name}`);
    if (before !== undefined) return before;
    const free = this.freeName(parent, name);
    const key = this.keyOf(parent);
    const id = made(key === "" ? free : `${key}/${free}`);
    this.folders.set(id, { id, name: free, parent });
    if (free !== name) renamed.set(`${parent}/${name}`, id);
    return id;
  }

  freeName(parent: string, name: string): string {
    if (this.child(parent, name) === undefined) return name;
    for (let number = 2; ; number += 1) {
      const free = numberedName(parseName(name), number);
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

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
