import { type Act, type AuditDetails, checksumOf, contentOf } from "./act.ts";
import {
  childOf,
  type FileNode,
  type FolderNode,
  isWithin,
  keyOf,
  madeUpId,
  rootOf,
  type Tree,
} from "./tree.ts";

type Nodes = Map<string, FolderNode | FileNode>;

/** What an act should come to where nobody else is about: its answer, and the tree after it. */
export function foretell(tree: Tree, act: Act): { told: AuditDetails; tree: Tree } {
  const nodes: Nodes = new Map(tree);
  const told = perform(nodes, act);
  return { told, tree: told.status === 200 ? nodes : tree };
}

const done = (told: string): AuditDetails => ({ status: 200, told });
const refused = (status: number): AuditDetails => ({ status, told: "" });

function perform(nodes: Nodes, act: Act): AuditDetails {
  if (act.do === "upload") return upload(nodes, act);
  if (act.do === "create") {
    const { id, isNew } = ensureFolder(nodes, act.path);
    return id !== undefined && isNew ? done(keyOf(nodes, id)) : refused(409);
  }
  if (act.do === "change") return change(nodes, act);
  if (act.do === "delete files") {
    const gone = act.ids.filter((id) => nodes.delete(id));
    return gone.length === 0 ? refused(404) : done(gone.join());
  }
  const folder = nodes.get(act.id);
  if (folder === undefined) return refused(404);
  if (folder.parent === null) return refused(400);
  const inside = [...nodes.keys()].filter((id) => isWithin(nodes, id, act.id));
  for (const id of inside) nodes.delete(id);
  return done(act.id);
}

/** The folder at a path, made where it is missing; without an id where a file is in the way. */
function ensureFolder(nodes: Nodes, path: string): { id?: string; isNew: boolean } {
  let id = rootOf(nodes);
  let isNew = false;
  for (const name of path.split("/").filter((segment) => segment !== "")) {
    const child = childOf(nodes, id, name);
    if (child !== undefined && nodes.get(child)?.kind === "file") return { isNew };
    isNew = child === undefined;
    const parent = id;
    id = child ?? madeUpId();
    if (isNew) nodes.set(id, { kind: "folder", parent, name });
  }
  return { id, isNew };
}

function upload(nodes: Nodes, act: Act & { do: "upload" }): AuditDetails {
  const { id: parent } = ensureFolder(nodes, act.folder);
  if (parent === undefined) return refused(409);
  if (act.names.some((name) => childOf(nodes, parent, name) !== undefined)) return refused(409);
  const keys = act.names.map((name) => {
    const id = madeUpId();
    const content = checksumOf(contentOf(act.content, name));
    nodes.set(id, { kind: "file", parent, name, visibility: act.visibility, content });
    return keyOf(nodes, id);
  });
  return done(keys.join());
}

function change(nodes: Nodes, act: Act & { do: "change" }): AuditDetails {
  const node = nodes.get(act.id);
  if (node === undefined || node.kind !== act.kind) return refused(404);
  const { name = node.name, to = node.parent, visibility } = act;
  if (node.parent === null) {
    if (act.name !== undefined || act.to !== undefined) return refused(400);
  } else if (to !== null && (name !== node.name || to !== node.parent)) {
    if (nodes.get(to)?.kind !== "folder") return refused(404);
    if (node.kind === "folder" && isWithin(nodes, to, act.id)) return refused(400);
    if (childOf(nodes, to, name) !== undefined) return refused(409);
    nodes.set(act.id, { ...node, name, parent: to });
  }
  for (const [id, inside] of nodes) {
    if (visibility === undefined || inside.kind !== "file") continue;
    if (isWithin(nodes, id, act.id)) nodes.set(id, { ...inside, visibility });
  }
  return done(keyOf(nodes, act.id));
}
