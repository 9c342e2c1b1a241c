import { type FolderFile, withPath } from "./folder-items.ts";

/** Files of which several may have one name, as pictures of phones do: the second becomes "name (2).jpg". */
export async function* numberRepeatedPaths(
  files: Iterable<FolderFile | File> | AsyncIterable<FolderFile | File>,
): AsyncGenerator<FolderFile> {
  const taken = new Set<string>();
  for await (const file of files) {
    const given = withPath(file);
    let path = given.path;
    for (let number = 2; taken.has(path.normalize("NFC")); number += 1) {
      path = numbered(given.path, number);
    }
    taken.add(path.normalize("NFC"));
    yield { ...given, path };
  }
}

/** Puts a number before the extension. The extension of `a.tar.gz` is `.tar.gz`. */
const numbered = (path: string, number: number): string =>
  path.replace(/(?<=[^/])(?:\.tar)?\.[^./]*$|$/i, ` (${number})$&`);
