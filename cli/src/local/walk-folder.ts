import type { FileObject, FolderObject, Holdall } from "../../../sdk/src/holdall.ts";
import { MAX_KEY_SEGMENTS } from "../../../server/domain/names/name.ts";
import { localName } from "./local-name.ts";

/** A file, or a folder before its content. */
export type Found = { readonly path: readonly string[] } & (
  | { readonly type: "folder"; readonly folder: FolderObject }
  | { readonly type: "file"; readonly file: FileObject }
);

const PAGE_SIZE = 1_000;

/**
 * Everything in a folder at any depth. `path` has the names from there on, each of them safe as a local
 * name. Calls `onProblem` for what has another name and leaves it out.
 */
export async function* walkFolder(
  holdall: Holdall,
  id: string,
  onProblem: (key: string, error: unknown) => Promise<void>,
  signal: AbortSignal,
  path: readonly string[] = [],
): AsyncGenerator<Found, void> {
  if (path.length > MAX_KEY_SEGMENTS) throw new Error("The server nests folders too deeply.");
  const subfolders: FolderObject[] = [];
  for await (const page of holdall.folders.pages({ id }, { limit: PAGE_SIZE, signal })) {
    subfolders.push(...page.folders);
    for (const file of page.files) {
      const name = await checkName(file, onProblem);
      if (name !== undefined) yield { type: "file", file, path: [...path, name] };
    }
  }
  for (const folder of subfolders) {
    const name = await checkName(folder, onProblem);
    if (name === undefined) continue;
    yield { type: "folder", folder, path: [...path, name] };
    yield* walkFolder(holdall, folder.id, onProblem, signal, [...path, name]);
  }
}

async function checkName(
  { name, key }: { readonly name: string; readonly key: string },
  onProblem: (key: string, error: unknown) => Promise<void>,
): Promise<string | undefined> {
  try {
    return localName(name);
  } catch (error) {
    await onProblem(key, error);
    return undefined;
  }
}
