import { Fault } from "../../domain/faults/fault.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import { parseKey } from "../../domain/names/name.ts";
import { type OnConflict, parseOnConflict } from "../../domain/names/on-conflict.ts";
import { similarName } from "../../domain/names/similar-name.ts";
import type { FileRecord, Key, MetadataText, Millis, Visibility } from "../../domain/records.ts";
import { parseVisibility } from "../../domain/visibility.ts";
import type { UploadSession } from "../../files/upload/begin-upload.ts";
import { changeMetadata, parseMetadata } from "../../semantics/file-metadata.ts";
import type { Part } from "../multipart/part.ts";
import { readText } from "../multipart/read-text.ts";
import { rejectMisspeltDryRun } from "./dry-runs.ts";
import { parseLifetimeTexts, readLifetime } from "./read-lifetime.ts";
import { createDigestComparison } from "./upload-digests.ts";

/** The rules for keys refuse a folder's path long before it has this many bytes. */
const MAX_FIELD_BYTES = 64 * 1024;

interface Fields {
  folder?: Key;
  visibility?: Visibility;
  metadata?: MetadataText | null;
  onConflict?: OnConflict;
  expiresIn?: string;
  expiresAt?: string;
}

/**
 * Stores the files of an upload form and commits them with its fields, which may come before,
 * between or after the files (`onConflict` only before). Ends the session. `beforeCommit` is called
 * when the whole form has been read; if it throws, nothing is stored. `now`: the clock that lifetimes count by. Faults of the session, the form
 * and `beforeCommit`; "invalid": a field is unknown as a file, repeated or malformed, there is no file, or a
 * file does not have its `sha256`.
 */
export async function storeUploadForm<Stored = FileRecord>(
  form: AsyncIterable<Part>,
  upload: UploadSession<Stored>,
  now: () => Millis,
  beforeCommit: () => Promise<void>,
): Promise<Stored[]> {
  let fields: Omit<Fields, "expiresIn" | "expiresAt">;
  let lifetime: Lifetime | undefined;
  try {
    const { expiresIn, expiresAt, ...others } = await storeParts(form, upload);
    fields = others;
    lifetime = readLifetime(parseLifetimeTexts({ expiresIn, expiresAt }), now());
    await beforeCommit();
  } catch (error) {
    await upload.abort();
    throw error;
  }
  // Empty metadata is none, so replaced files keep theirs.
  return upload.commit({ ...fields, lifetime, metadata: fields.metadata ?? undefined });
}

async function storeParts<Stored>(
  form: AsyncIterable<Part>,
  upload: UploadSession<Stored>,
): Promise<Fields> {
  const fields: Fields = {};
  const digests = createDigestComparison();
  let files = 0;
  for await (const part of form) {
    if (part.filename === "") {
      await skipEmptyInput(part);
    } else if (part.filename !== undefined) {
      if (part.name !== "files") throw misplacedFile(part.name);
      const digest = await upload.add(part.filename, part.type, part.body);
      digests.addActual(part.filename, digest);
      files += 1;
    } else if (part.name === "sha256") {
      digests.addExpected(await readText(part, MAX_FIELD_BYTES));
    } else {
      await readField(part, fields);
      if (part.name === "onConflict" && files > 0) {
        throw new Fault("invalid", "`onConflict` must come before the files.");
      }
      const { folder, onConflict } = fields;
      const isTarget = part.name === "folder" || part.name === "onConflict";
      if (isTarget && folder !== undefined) await upload.expectTarget({ folder, onConflict });
    }
  }
  if (files === 0) {
    throw new Fault("invalid", "There is no file: send at least one under the field `files`.");
  }
  digests.end();
  return fields;
}

/** Ignores fields that are unknown, unless their name resembles that of a known one. */
async function readField(part: Part, fields: Fields): Promise<void> {
  const { name } = part;
  if (name === "files") {
    throw new Fault("invalid", "`files` must be a file with a file name, not a text field.");
  }
  if (!isKnown(name)) return rejectMisspelt(name);
  if (fields[name] !== undefined) {
    throw new Fault("invalid", `The field \`${name}\` is given twice.`);
  }
  const text = await readText(part, MAX_FIELD_BYTES);
  if (name === "folder") fields.folder = parseKey(text);
  else if (name === "metadata") fields.metadata = parseMetadataField(text);
  else if (name === "onConflict") fields.onConflict = parseOnConflict(text);
  else if (name === "visibility") fields.visibility = parseVisibility(text);
  else {
    // Before the bytes that come after it.
    parseLifetimeTexts({ [name]: text });
    fields[name] = text;
  }
}

const FIELDS = [
  ...(["folder", "visibility", "metadata"] as const),
  ...(["onConflict", "expiresIn", "expiresAt"] as const),
] as const;

/** Every field of the form. */
export const UPLOAD_FIELDS: readonly string[] = ["files", "sha256", ...FIELDS];

/** A file must not become public because of a typing error. */
function rejectMisspelt(name: string): void {
  rejectMisspeltDryRun([name], Object.fromEntries(UPLOAD_FIELDS.map((field) => [field, true])));
  const meant = similarName(name, UPLOAD_FIELDS);
  if (meant === undefined) return;
  throw new Fault("invalid", `There is no field \`${name}\`: did you mean \`${meant}\`?`, {
    code: "unknown_field",
    details: { field: name, known: UPLOAD_FIELDS },
  });
}

const isKnown = (name: string): name is (typeof FIELDS)[number] =>
  FIELDS.some((field) => field === name);

/** Browsers send a part without a file name and content for a file input that was left empty. */
async function skipEmptyInput(part: Part): Promise<void> {
  for await (const chunk of part.body) {
    if (chunk.length > 0) throw new Fault("invalid", "A file came without a file name.");
  }
}

const misplacedFile = (field: string): Fault =>
  new Fault("invalid", `Files belong under the field \`files\`, but one came under \`${field}\`.`);

/** The `metadata` of an upload, in a field or a parameter: a JSON object. null: it sets no field. Fault "invalid". */
export function parseMetadataField(text: string): MetadataText | null {
  return changeMetadata(null, parseMetadata(parseObject(text)));
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new Fault(
    "invalid",
    '`metadata` must be a JSON object, such as `{"cacheControl":"public, max-age=3600"}`.',
  );
}
