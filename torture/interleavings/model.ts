import { checksumOf, contentOf, type Operation, type Outcome } from "./operation.ts";
import {
  childOf,
  type FileNode,
  type FolderNode,
  isWithin,
  keyOf,
  placeholderId,
  rootOf,
  type Tree,
} from "./tree.ts";

type Nodes = Map<string, FolderNode | FileNode>;

/** The outcome of an operation that runs alone, and the tree after it. */
export function predict(tree: Tree, operation: Operation): { outcome: Outcome; tree: Tree } {
  const nodes: Nodes = new Map(tree);
  const outcome = perform(nodes, operation);
  return { outcome, tree: outcome.status === 200 ? nodes : tree };
}

const success = (result: string): Outcome => ({ status: 200, result });
const failure = (status: number): Outcome => ({ status, result: "" });

function perform(nodes: Nodes, operation: Operation): Outcome {
  if (operation.do === "upload") return upload(nodes, operation);
  if (operation.do === "create") {
    const { id, isNew } = ensureFolder(nodes, operation.path);
    return id !== undefined && isNew ? success(keyOf(nodes, id)) : failure(409);
  }
  if (operation.do === "change") return change(nodes, operation);
  if (operation.do === "delete files") {
    const gone = operation.ids.filter((id) => nodes.delete(id));
    return gone.length === 0 ? failure(404) : success(gone.join());
  }
  const folder = nodes.get(operation.id);
  if (folder === undefined) return failure(404);
  if (folder.parent === null) return failure(400);
  const inside = [...nodes.keys()].filter((id) => isWithin(nodes, id, operation.id));
  for (const id of inside) nodes.delete(id);
  return success(operation.id);
}

/** The folder at a path, created if it is missing. Has no id if a file is in the way. */
function ensureFolder(nodes: Nodes, path: string): { id?: string; isNew: boolean } {
  let id = rootOf(nodes);
  let isNew = false;
  for (const name of path.split("/").filter((segment) => segment !== "")) {
    const child = childOf(nodes, id, name);
    if (child !== undefined && nodes.get(child)?.kind === "file") return { isNew };
    isNew = child === undefined;
    const parent = id;
    id = child ?? placeholderId();
    if (isNew) nodes.set(id, { kind: "folder", parent, name });
  }
  return { id, isNew };
}

function upload(nodes: Nodes, operation: Operation & { do: "upload" }): Outcome {
  const { id: parent } = ensureFolder(nodes, operation.folder);
  if (parent === undefined) return failure(409);
  if (operation.names.some((name) => childOf(nodes, parent, name) !== undefined))
    return failure(409);
  const keys = operation.names.map((name) => {
    const id = placeholderId();
    const content = checksumOf(contentOf(operation.content, name));
    nodes.set(id, { kind: "file", parent, name, visibility: operation.visibility, content });
    return keyOf(nodes, id);
  });
  return success(keys.join());
}

function change(nodes: Nodes, operation: Operation & { do: "change" }): Outcome {
  const node = nodes.get(operation.id);
  if (node === undefined || node.kind !== operation.kind) return failure(404);
  const { name = node.name, to = node.parent, visibility } = operation;
  if (node.parent === null) {
    if (operation.name !== undefined || operation.to !== undefined) return failure(400);
  } else if (to !== null && (name !== node.name || to !== node.parent)) {
    if (nodes.get(to)?.kind !== "folder") return failure(404);
    if (node.kind === "folder" && isWithin(nodes, to, operation.id)) return failure(400);
    if (childOf(nodes, to, name) !== undefined) return failure(409);
    nodes.set(operation.id, { ...node, name, parent: to });
  }
  for (const [id, inside] of nodes) {
    if (visibility === undefined || inside.kind !== "file") continue;
    if (isWithin(nodes, id, operation.id)) nodes.set(id, { ...inside, visibility });
  }
  return success(keyOf(nodes, operation.id));
}
