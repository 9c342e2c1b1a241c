import { readFileAt } from "./read-file-at.ts";
import type { SourceFile } from "./source-tree.ts";

/** A file of the tree could not be read, or changed while it was read. */
export class SourceFailure extends Error {
  readonly file: SourceFile;

  constructor(file: SourceFile, cause: unknown) {
    super(`${file.path} could not be read.`, { cause });
    this.file = file;
  }
}

/** The file's bytes; `onBytes` is called with the length of each chunk. Throws `SourceFailure`. */
export async function* readSourceFile(
  file: SourceFile,
  onBytes: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of readFileAt(file.path)) {
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (cause) {
    throw new SourceFailure(file, cause);
  }
}
