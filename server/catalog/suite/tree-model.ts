import type { FaultKind } from "../../domain/faults/fault.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { Visibility } from "../../domain/records.ts";

/** The expected outcome of a step: done, or a fault of this kind. */
export type Outcome = "done" | FaultKind;

/** A simple model of the tree: every path, with the visibility of files and the defaults of folders. */
export function createTreeModel() {
  let nodes = new Map<string, Visibility | "folder">([["", "folder"]]);
  /** Of folders that have one of their own. */
  let defaults = new Map<string, Visibility>();

  const parent = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  const join = (folder: string, name: string): string =>
    folder === "" ? name : `${folder}/${name}`;
  const isWithin = (path: string, folder: string): boolean =>
    folder === "" || path === folder || path.startsWith(`${folder}/`);

  const inherited = (folder: string): Visibility | null =>
    defaults.get(folder) ?? (folder === "" ? null : inherited(parent(folder)));

  /** The missing folders of the path, or null: a file is in the path. */
  function missingFolders(path: string): string[] | null {
    if (nodes.get(path) === "folder") return [];
    if (nodes.has(path)) return null;
    const above = missingFolders(parent(path));
    return above && [...above, path];
  }

  function move(from: string, folder: string, name: string): Outcome {
    if (from === "") return "invalid";
    const to = join(folder, name);
    if (from === to) return "done";
    if (nodes.get(folder) !== "folder") return "not_found";
    if (nodes.get(from) === "folder" && isWithin(folder, from)) return "invalid";
    if (nodes.has(to)) return "conflict";
    const moved = (path: string) => (isWithin(path, from) ? to + path.slice(from.length) : path);
    nodes = new Map([...nodes].map(([path, node]) => [moved(path), node]));
    defaults = new Map([...defaults].map(([path, visibility]) => [moved(path), visibility]));
    return "done";
  }

  /** The first "name (2)", "name (3)", … that neither the folder nor the request has. */
  function numbered(folder: string, name: string, used: ReadonlySet<string>): string {
    for (let number = 2; ; number += 1) {
      const free = `${name} (${number})`;
      if (!nodes.has(join(folder, free)) && !used.has(free)) return free;
    }
  }

  return {
    nodes: (): ReadonlyMap<string, Visibility | "folder"> => nodes,
    /** What new files of each folder get; null: the default of the instance. */
    inherited: (): Map<string, Visibility | null> =>
      new Map(
        [...nodes].flatMap(([path, node]) => (node === "folder" ? [[path, inherited(path)]] : [])),
      ),
    setDefault(path: string, visibility: Visibility | null): Outcome {
      if (nodes.get(path) !== "folder") return "not_found";
      if (path === "") return "invalid";
      if (visibility === null) defaults.delete(path);
      else defaults.set(path, visibility);
      return "done";
    },
    createFolder(path: string): Outcome {
      const missing = missingFolders(path);
      if (missing === null || missing.length === 0) return "conflict";
      for (const folder of missing) nodes.set(folder, "folder");
      return "done";
    },
    /** `visibility`: that of the instance. */
    addFiles(
      folder: string,
      names: readonly string[],
      visibility: Visibility,
      onConflict: OnConflict,
    ): Outcome {
      const missing = missingFolders(folder);
      if (missing === null || new Set(names).size < names.length) return "conflict";
      const used = new Set(names);
      const added: string[] = [];
      for (const name of names) {
        const holder = nodes.get(join(folder, name));
        if (holder === undefined) added.push(name);
        else if (onConflict === "keepBoth") {
          const free = numbered(folder, name, used);
          used.add(free);
          added.push(free);
        } else if (onConflict === "refuse") return "conflict";
        else if (onConflict === "replace" && holder === "folder") return "conflict";
        // A replaced file keeps its visibility; a skipped one changes nothing.
      }
      for (const path of missing) nodes.set(path, "folder");
      for (const name of added) nodes.set(join(folder, name), inherited(folder) ?? visibility);
      return "done";
    },
    rename(path: string, name: string): Outcome {
      return move(path, parent(path), name);
    },
    /** With another name, or under its own. */
    move(path: string, folder: string, name = path.slice(path.lastIndexOf("/") + 1)): Outcome {
      return move(path, folder, name);
    },
    setVisibility(under: string, visibility: Visibility): Outcome {
      for (const [path, node] of nodes) {
        if (node !== "folder" && isWithin(path, under)) nodes.set(path, visibility);
      }
      return "done";
    },
    remove(under: string): Outcome {
      if (under === "") return "invalid";
      for (const path of [...nodes.keys()]) if (isWithin(path, under)) nodes.delete(path);
      for (const path of [...defaults.keys()]) if (isWithin(path, under)) defaults.delete(path);
      return "done";
    },
  };
}
