/*
 * A tree of folders and files by their ids, as in the catalog or as the model predicts it. Nodes
 * that the model creates have placeholder ids, which match any id.
 */

export interface FolderNode {
  readonly kind: "folder";
  /** null for the root. */
  readonly parent: string | null;
  readonly name: string;
}

export interface FileNode {
  readonly kind: "file";
  readonly parent: string;
  readonly name: string;
  readonly visibility: "public" | "private";
  /** Checksum of the content. */
  readonly content: number;
}

export type Tree = ReadonlyMap<string, FolderNode | FileNode>;

const PLACEHOLDER = "new ";
let placeholders = 0;

/** A new placeholder id. */
export function placeholderId(): string {
  placeholders += 1;
  return `${PLACEHOLDER}${placeholders}`;
}

export function rootOf(tree: Tree): string {
  for (const [id, { parent }] of tree) if (parent === null) return id;
  throw new Error("The tree has no root.");
}

/** The key of the node with this id. Throws if the tree has a cycle. */
export function keyOf(tree: Tree, id: string): string {
  const names: string[] = [];
  for (let node = tree.get(id); node !== undefined && node.parent !== null; ) {
    names.unshift(node.name);
    if (names.length > tree.size) throw new Error(`${id} is below itself.`);
    node = tree.get(node.parent);
  }
  return names.join("/");
}

export function childOf(tree: Tree, parent: string, name: string): string | undefined {
  for (const [id, node] of tree) if (node.parent === parent && node.name === name) return id;
  return undefined;
}

/** Whether the node is the folder or below it. */
export function isWithin(tree: Tree, id: string, folder: string): boolean {
  for (let at: string | null | undefined = id; at != null; at = tree.get(at)?.parent) {
    if (at === folder) return true;
  }
  return false;
}

/** Whether the catalog matches the model: the same nodes with the same keys and ids. */
export function isSame(model: Tree, seen: Tree): boolean {
  if (model.size !== seen.size) return false;
  const byKey = new Map([...seen].map(([id, node]) => [keyOf(seen, id), { id, node }]));
  for (const [id, node] of model) {
    const there = byKey.get(keyOf(model, id));
    if (there === undefined || node.kind !== there.node.kind) return false;
    if (!id.startsWith(PLACEHOLDER) && id !== there.id) return false;
    if (node.kind !== "file" || there.node.kind !== "file") continue;
    if (node.visibility !== there.node.visibility || node.content !== there.node.content) {
      return false;
    }
  }
  return true;
}

/** One line per node, for error messages. */
export function formatTree(tree: Tree): string {
  const lines = [...tree].map(([id, node]) => {
    const more = node.kind === "file" ? ` ${node.visibility} #${node.content}` : "/";
    return `${keyOf(tree, id)}${more} (${id})`;
  });
  return lines.sort().join("\n");
}
