import { afterPrefix, FIRST } from "../../../contract/text/utf8-order.ts";
import type { Key } from "../../domain/records.ts";
import type { ListedFolder } from "../../domain/tree-change.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { StatementRunner } from "../engine/prepared-statement.ts";
import { FEW, readFewChildren } from "./few-children.ts";
import { type ChildFile, type ObjectChild, readChildren } from "./object-children.ts";

/** A folder in which a walk is, or through which it comes. */
export interface WalkFolder {
  readonly folder: ListedFolder;
  readonly implicit: 0 | 1;
  /** Prefix of the keys of its content: "", or with a slash at the end. */
  readonly prefix: string;
}

/** The next object, by its key. */
export type WalkedObject =
  | { readonly key: string; readonly file: ChildFile["file"] }
  | { readonly key: string; readonly folder: ListedFolder }
  /** For "heads": there is an object whose key begins so. */
  | { readonly key: string; readonly isHead: true };

/** Walks over objects in the order of the bytes of their keys. */
export interface ObjectWalk {
  /** undefined: there are no more. */
  next(): Promise<WalkedObject | undefined>;
  /** Goes on after all keys that begin with this text, as the last one does. */
  skip(prefix: string): void;
  /** The folders that were read. */
  readonly visited: readonly ListedFolder[];
}

export interface ObjectWalkStart {
  /** From the outermost on, each with the `sort` from which its children are read. */
  readonly path: readonly { readonly at: WalkFolder; readonly from: string }[];
  /** In a statement, for a folder that is read alone. */
  readonly batch: number;
  /** "heads": of the subfolders, it is only asked whether there are objects in them. */
  readonly purpose: "content" | "heads";
}

interface Frame extends WalkFolder {
  /** Where to read on. */
  from: string;
  children: readonly ObjectChild[];
  /** The index of the next child. */
  at: number;
  /** Whether there are no children after these. */
  isLast: boolean;
  /** Whether children were found, or left out. */
  hasContent: boolean;
  /** Whether the walk has come into it from its parent. */
  readonly isEntered: boolean;
}

/** Folders that are read at once, if they have few children. */
const MAX_AHEAD = 64;
/** Statements after which other requests have their turn. */
const STATEMENTS_IN_A_ROW = 4;

export function createObjectWalk(
  runner: Pick<StatementRunner, "all">,
  { path, batch, purpose }: ObjectWalkStart,
): ObjectWalk {
  const stack: Frame[] = path.map(({ at, from }) => frameOf(at, from, false));
  const visited = path.map(({ at }) => at.folder);
  /** Children that were read before their folder was reached. */
  let readAhead = new Map<string, ObjectChild[]>();
  let ahead = 1;
  let statements = 0;

  async function readMore(frame: Frame): Promise<void> {
    const isNew = frame.isEntered && frame.from === "";
    const { id } = frame.folder;
    if (isNew && ahead > 1 && !readAhead.has(id)) {
      readAhead = await readFewChildren(runner, [id, ...nextSiblings(stack.at(-2), ahead - 1)]);
      statements += 1;
    }
    const known = isNew ? readAhead.get(id) : undefined;
    if (known !== undefined) {
      take(frame, known, FEW);
      return;
    }
    statements += 1;
    if (statements % STATEMENTS_IN_A_ROW === 0) await giveWay();
    const limit = isNew && purpose === "heads" ? 1 : batch;
    const request = { folderId: id, from: frame.from, limit };
    take(frame, await readChildren(runner, request, purpose), limit);
  }

  function take(frame: Frame, children: readonly ObjectChild[], limit: number): void {
    const isFirst = frame.from === "";
    frame.children = children;
    frame.at = 0;
    frame.isLast = children.length < limit;
    frame.hasContent ||= children.length > 0;
    frame.from = `${children.at(-1)?.sort ?? ""}${FIRST}`;
    if (!isFirst || purpose === "heads") return;
    ahead = frame.isLast && children.length < FEW ? Math.min(MAX_AHEAD, 2 * ahead) : 1;
  }

  function enter(child: Exclude<ObjectChild, ChildFile>, parent: Frame): void {
    const { id, parentId, name, implicit, createdAt, updatedAt } = child;
    const key = `${parent.folder.key}/${name}` as Key;
    const folder = { id, parentId, name, key, createdAt, updatedAt };
    visited.push(folder);
    stack.push(frameOf({ folder, implicit, prefix: `${parent.prefix}${child.sort}` }, "", true));
  }

  return {
    visited,

    async next() {
      for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
        const child = frame.children[frame.at];
        if (child !== undefined) {
          frame.at += 1;
          if (child.isFolder === 0)
            return { key: `${frame.prefix}${child.sort}`, file: child.file };
          const isObject = child.content === "nothing" && child.implicit === 0;
          if (isObject || child.content === "files") {
            return { key: `${frame.prefix}${child.sort}`, isHead: true };
          }
          if (child.content === "unknown") enter(child, frame);
        } else if (!frame.isLast) await readMore(frame);
        else {
          stack.pop();
          const isObject = frame.implicit === 0 && !frame.hasContent && frame.prefix !== "";
          if (isObject) return { key: frame.prefix, folder: frame.folder };
        }
      }
      return undefined;
    },

    skip(prefix) {
      while (stack.at(-1)?.prefix.startsWith(prefix)) stack.pop();
      const frame = stack.at(-1);
      if (frame === undefined) return;
      const rest = prefix.slice(frame.prefix.length);
      while (frame.children[frame.at]?.sort.startsWith(rest)) frame.at += 1;
      if (frame.at < frame.children.length || frame.isLast || rest === "") return;
      const from = afterPrefix(rest);
      if (from === undefined) frame.isLast = true;
      else frame.from = from;
    },
  };
}

const frameOf = (at: WalkFolder, from: string, isEntered: boolean): Frame => ({
  ...at,
  from,
  children: [],
  at: 0,
  isLast: false,
  hasContent: from !== "",
  isEntered,
});

/** The ids of the folders that come next in the buffer of a folder. */
function nextSiblings(parent: Frame | undefined, count: number): string[] {
  const ids: string[] = [];
  for (let at = parent?.at ?? 0; ids.length < count; at += 1) {
    const child = parent?.children[at];
    if (child === undefined) break;
    if (child.isFolder === 1) ids.push(child.id);
  }
  return ids;
}
