import type { UploadPart } from "../files/upload.ts";
import type { Key, Visibility } from "../rules/records.ts";
import { readFileAt } from "./read-file-at.ts";
import type { SourceFile } from "./source-tree.ts";

/** A file of the tree could not be read, or changed meanwhile. */
export class SourceFailure extends Error {
  readonly file: SourceFile;

  constructor(file: SourceFile, cause: unknown) {
    super(`${file.path} could not be read.`, { cause });
    this.file = file;
  }
}

export interface FormContent {
  readonly folder: Key;
  readonly files: readonly SourceFile[];
  readonly visibility: Visibility | undefined;
  /** Hears of bytes as they are read. */
  readonly onBytes: (bytes: number) => void;
}

/** Files of a disk as the form of an upload. Throws `SourceFailure` while it is read. */
export async function* uploadForm({
  folder,
  files,
  visibility,
  onBytes,
}: FormContent): AsyncGenerator<UploadPart> {
  yield field("folder", folder);
  if (visibility !== undefined) yield field("visibility", visibility);
  for (const file of files) {
    yield { name: "files", filename: file.name, type: undefined, body: bytesOf(file, onBytes) };
  }
}

/** The text of a part that `uploadForm` has made. */
export async function textOf({ body }: UploadPart): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString("utf8");
}

function field(name: string, text: string): UploadPart {
  const body = async function* () {
    yield Buffer.from(text);
  };
  return { name, filename: undefined, type: undefined, body: body() };
}

async function* bytesOf(
  file: SourceFile,
  onBytes: FormContent["onBytes"],
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
