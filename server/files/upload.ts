import { crc32 } from "node:zlib";
import type { Blobs, BlobWriter } from "../blobs/port.ts";
import type { Names } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import { mediaType } from "../rules/media.ts";
import { childKey, parseKey, parseName, ROOT_KEY } from "../rules/name.ts";
import { type OnConflict, parseOnConflict } from "../rules/on-conflict.ts";
import type { BlobId, FileRecord, Key, Name, NewFile, Visibility } from "../rules/records.ts";
import { parseVisibility } from "../rules/visibility.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import type { SpaceClaim, SpaceGuard } from "./space.ts";

/** One part of the form, in the order in which it comes. */
export interface UploadPart {
  readonly name: string;
  /** undefined: a plain field. */
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface UploadParts {
  readonly names: Names;
  readonly blobs: Blobs;
  readonly desk: BlobIdAllocator;
  readonly space: SpaceGuard;
  readonly readText: (part: UploadPart) => Promise<string>;
  readonly settings: () => UploadSettings;
  /** Old content may have been condemned: its bytes can go. */
  readonly onReplaced: () => void;
}

export interface UploadSettings {
  readonly defaultVisibility: Visibility;
  /** In bytes. */
  readonly maxUploadSize: number;
  readonly maxFilesPerRequest: number;
}

/**
 * Stores the files of a form and makes them visible together once all are safe; of names that are
 * taken the form's `onConflict` tells. `expected` is the
 * length of the whole request in bytes, 0 when it is not known. When anything fails, nothing
 * appears and no bytes stay. Faults: "invalid", "conflict", "too_large", "no_space".
 */
export type Upload = (form: AsyncIterable<UploadPart>, expected: number) => Promise<FileRecord[]>;

/** What one upload goes by from its beginning to its end. */
interface Bounds {
  readonly claim: SpaceClaim;
  readonly settings: UploadSettings;
}

/** A file of the request whose bytes are on their way to the store. */
interface Incoming {
  readonly name: Name;
  readonly writer: BlobWriter;
  readonly stored: NewFile;
  readonly sealed: Promise<void>;
}

export function createUpload(parts: UploadParts): Upload {
  const { names, blobs, desk, space } = parts;

  return async (form, expected) => {
    const claim = await space.admit(expected);
    const bounds = { claim, settings: parts.settings() };
    const incoming: Incoming[] = [];
    let fields: Fields;
    try {
      fields = await receive(form, incoming, bounds);
      await Promise.all(incoming.map((file) => file.sealed));
    } catch (error) {
      await giveUpAll(incoming);
      throw error;
    } finally {
      claim.release();
    }
    return commit(incoming, fields, bounds.settings);
  };

  async function receive(
    form: AsyncIterable<UploadPart>,
    incoming: Incoming[],
    bounds: Bounds,
  ): Promise<Fields> {
    const fields: Fields = {};
    for await (const part of form) {
      if (part.filename === undefined) {
        await readField(part, fields);
        if (part.name === "onConflict" && incoming.length > 0) {
          throw new Fault("invalid", "`onConflict` must come before the files.");
        }
        if (part.name === "folder") await refuseTaken(fields, incoming.map(nameOf));
      } else if (part.filename === "") {
        await passOverUnnamed(part);
      } else {
        await receiveFile(part, part.filename, fields, incoming, bounds);
      }
    }
    if (incoming.length === 0) {
      throw new Fault("invalid", "There is no file: send at least one under the field `files`.");
    }
    return fields;
  }

  async function receiveFile(
    part: UploadPart,
    filename: string,
    fields: Fields,
    incoming: Incoming[],
    bounds: Bounds,
  ): Promise<void> {
    if (part.name !== "files") {
      throw new Fault(
        "invalid",
        `Files belong under the field \`files\`, but one came under \`${part.name}\`.`,
      );
    }
    const { maxFilesPerRequest } = bounds.settings;
    if (incoming.length === maxFilesPerRequest) {
      throw new Fault(
        "too_large",
        `Too many files: one request takes at most ${maxFilesPerRequest}.`,
      );
    }
    const name = parseName(filename);
    if (incoming.some((file) => file.name === name)) {
      throw new Fault("conflict", `The name "${name}" is given twice in this request.`);
    }
    await refuseTaken(fields, [name]);
    incoming.push(await store(part, name, bounds));
  }

  /** Answers a conflict before the bytes are sent, where it can be known. The commit decides. */
  async function refuseTaken(
    { folder, onConflict = "refuse" }: Fields,
    wanted: readonly Name[],
  ): Promise<void> {
    if (folder === undefined || wanted.length === 0) return;
    for (const name of wanted) childKey(folder, name);
    if (onConflict !== "refuse") return;
    const taken = await names.takenName(folder, wanted);
    if (taken !== undefined) {
      throw new Fault("conflict", `"${taken}" already exists in this folder.`);
    }
  }

  async function store(
    part: UploadPart,
    name: Name,
    { claim, settings }: Bounds,
  ): Promise<Incoming> {
    const blobId = await desk.take();
    let writer: BlobWriter | undefined;
    try {
      writer = await blobs.create(blobId);
      let size = 0;
      let checksum = 0;
      for await (const chunk of part.body) {
        size += chunk.length;
        if (size > settings.maxUploadSize) {
          throw new Fault(
            "too_large",
            `"${name}" is larger than the ${settings.maxUploadSize} bytes that a file may have.`,
          );
        }
        await claim.write(chunk.length);
        checksum = crc32(chunk, checksum);
        await writer.write(chunk);
      }
      const mimeType = mediaType(name, part.type);
      const sealed = writer.seal();
      // Awaited with the others at the end; until then its failure is nobody's unhandled one.
      sealed.catch(() => {});
      return { name, writer, sealed, stored: { name, mimeType, size, blobId, checksum } };
    } catch (error) {
      await giveUp(blobId, writer);
      throw error;
    }
  }

  async function giveUp(blobId: BlobId, writer: BlobWriter | undefined): Promise<void> {
    const gone = writer === undefined || (await writer.discard());
    if (gone) desk.drop(blobId);
    else desk.doubt(blobId);
  }

  async function giveUpAll(incoming: readonly Incoming[]): Promise<void> {
    await Promise.all(incoming.map(({ stored, writer }) => giveUp(stored.blobId, writer)));
  }

  async function commit(
    incoming: Incoming[],
    fields: Fields,
    settings: UploadSettings,
  ): Promise<FileRecord[]> {
    try {
      const added = await names.addFiles({
        folder: fields.folder ?? ROOT_KEY,
        files: incoming.map((file) => file.stored),
        visibility: fields.visibility ?? settings.defaultVisibility,
        replacedVisibility: fields.visibility,
        owner: desk.owner,
        onConflict: fields.onConflict,
      });
      await settle(incoming, added);
      if (fields.onConflict === "replace") parts.onReplaced();
      return added;
    } catch (error) {
      if (isRefusal(error)) await giveUpAll(incoming);
      else for (const file of incoming) desk.doubt(file.stored.blobId);
      throw error;
    }
  }

  /** The blobs are those of files now, or of nobody where a name was taken and the file skipped. */
  async function settle(incoming: readonly Incoming[], added: readonly FileRecord[]) {
    const stored = new Set(added.map(({ blobId }) => blobId));
    for (const { stored: file } of incoming) {
      if (stored.has(file.blobId)) desk.settle(file.blobId);
    }
    await giveUpAll(incoming.filter((file) => !stored.has(file.stored.blobId)));
  }

  async function readField(part: UploadPart, fields: Fields): Promise<void> {
    if (part.name === "files") {
      throw new Fault("invalid", "`files` must be a file with a file name, not a text field.");
    }
    if (part.name !== "folder" && part.name !== "visibility" && part.name !== "onConflict") return;
    if (fields[part.name] !== undefined) {
      throw new Fault("invalid", `The field \`${part.name}\` is given twice.`);
    }
    const text = await parts.readText(part);
    if (part.name === "folder") fields.folder = parseKey(text);
    else if (part.name === "onConflict") fields.onConflict = parseOnConflict(text);
    else fields.visibility = parseVisibility(text);
  }
}

interface Fields {
  folder?: Key;
  visibility?: Visibility;
  onConflict?: OnConflict;
}

const nameOf = (file: Incoming): Name => file.name;

/** Whether the catalog said no, so that nothing of the change can have happened. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Fault && error.kind !== "unavailable";

/** What a browser sends for a file input that was left empty. */
async function passOverUnnamed(part: UploadPart): Promise<void> {
  for await (const chunk of part.body) {
    if (chunk.length > 0) throw new Fault("invalid", "A file came without a file name.");
  }
}
