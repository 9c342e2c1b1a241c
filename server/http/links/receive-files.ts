import { Fault } from "../../domain/faults/fault.ts";
import { tryParseName } from "../../domain/names/name.ts";
import { numberedName } from "../../domain/names/numbered-name.ts";
import { similarName } from "../../domain/names/similar-name.ts";
import type { BatchRecord } from "../../domain/uploads.ts";
import type { Activity } from "../../insight/activity.ts";
import type { LinkContent } from "../../links/open-link.ts";
import type { Batches } from "../../uploads/batches.ts";
import { rejectMisspeltDryRun } from "../api/dry-runs.ts";
import { recordCommit } from "../api/record-upload.ts";
import { storeUploadForm } from "../api/store-upload-form.ts";
import { bodyOf } from "../connection/body-of.ts";
import type { MultipartLimits } from "../multipart/limits.ts";
import type { Part } from "../multipart/part.ts";
import { readMultipart } from "../multipart/read-multipart.ts";
import { readText } from "../multipart/read-text.ts";

/** What a form says before its first file. */
export interface FormStart {
  readonly name: string | undefined;
  readonly password: string | undefined;
  /** The files, the visitor's message first; undefined: there are none. */
  readonly files: AsyncIterable<Part> | undefined;
  readonly hasMessage: boolean;
  /** Ends reading. */
  end(): Promise<void>;
}

/** More than a password or a visitor's name may have, and what a message may have. */
const MAX_FIELD_BYTES = 8 * 1024;
const MAX_MESSAGE_BYTES = 32 * 1024;
/** The file with a visitor's message. The page's script makes the same one. */
const MESSAGE_NAME = "Message.txt";

/** Reads a form up to its first file. Faults "invalid", "too_large" and "too_slow". */
export async function readFormStart(request: Request, limits: MultipartLimits): Promise<FormStart> {
  const parts = readMultipart(bodyOf(request), request.headers.get("content-type"), limits);
  const fields: { [Name in StartField]?: string } = {};
  const end = async (): Promise<void> => void (await parts.return());
  for (;;) {
    const next = await parts.next();
    if (next.done)
      return {
        name: fields.name,
        password: fields.password,
        files: undefined,
        hasMessage: false,
        end,
      };
    const part = next.value;
    if (part.name === "files" && part.filename !== undefined && part.filename !== "") {
      const files = numberRepeatedNames(filesFrom(fields.message, part, parts));
      return {
        name: fields.name,
        password: fields.password,
        files,
        hasMessage: hasText(fields.message),
        end,
      };
    }
    if (part.filename === undefined) rejectMisspelt(part.name);
    if (part.filename === undefined && isStartField(part.name)) {
      const isMessage = part.name === "message";
      fields[part.name] = await readText(part, isMessage ? MAX_MESSAGE_BYTES : MAX_FIELD_BYTES);
    }
  }
}

/**
 * Only files: other fields of uploads, such as `visibility`, are the owner's to decide. Fault "invalid": a field
 * that decides about the files comes after one.
 */
async function* filesFrom(
  message: string | undefined,
  first: Part,
  rest: AsyncGenerator<Part>,
): AsyncGenerator<Part> {
  if (message !== undefined && hasText(message)) yield messageFile(message);
  yield first;
  for await (const part of rest) {
    if (part.filename !== undefined) {
      yield part;
      continue;
    }
    rejectMisspelt(part.name);
    if (isStartField(part.name)) {
      throw new Fault("invalid", `The field "${part.name}" must come before the first file.`);
    }
  }
}

/** The message of a visitor is stored as a file beside the sent files, so the owner finds them together. */
const messageFile = (message: string): Part => ({
  name: "files",
  filename: MESSAGE_NAME,
  type: "text/plain; charset=utf-8",
  body: (async function* () {
    yield new TextEncoder().encode(message);
  })(),
});

const hasText = (message = ""): boolean => message.trim() !== "";

const START_FIELDS = ["name", "password", "message"] as const;
type StartField = (typeof START_FIELDS)[number];

const isStartField = (name: string | undefined): name is StartField =>
  START_FIELDS.some((each) => each === name);

/** A visitor's message must not be lost because of a typing error. Other unknown fields are ignored. */
function rejectMisspelt(name: string): void {
  rejectMisspeltDryRun([name], {});
  if (isStartField(name)) return;
  // With two other letters, `name` is `date` or `note`.
  const meant = similarName(name, ["password", "message"]) ?? similarName(name, ["name"], 1);
  if (meant === undefined) return;
  const field = name.slice(0, 64);
  throw new Fault("invalid", `There is no field \`${field}\`: did you mean \`${meant}\`?`, {
    code: "unknown_field",
    details: { field, known: ["files", ...START_FIELDS] },
  });
}

/** Phones call several pictures by one name. */
async function* numberRepeatedNames(files: AsyncIterable<Part>): AsyncGenerator<Part> {
  const taken = new Set<string>();
  for await (const part of files) {
    const name = tryParseName(part.filename ?? "");
    let free = name;
    for (let number = 2; name !== undefined && free !== undefined && taken.has(free); number += 1) {
      free = numberedName(name, number);
    }
    if (free !== undefined) taken.add(free);
    yield free === undefined ? part : { ...part, filename: free };
  }
}

export interface ReceiveDeps {
  readonly batches: Batches;
  readonly activity: Pick<Activity, "record">;
}

/**
 * Stores the files of a form as one batch. Nothing is stored if it fails. Faults: of the form and of the
 * batch; "invalid": there is no file.
 */
export async function receiveFiles(
  { batches, activity }: ReceiveDeps,
  content: Extract<LinkContent, { kind: "drop" }>,
  { name, files }: FormStart,
  sender: { readonly client: string; readonly length: number },
): Promise<BatchRecord> {
  if (files === undefined) throw new Fault("invalid", "Choose at least one file.");
  const { token } = await content.start(name);
  try {
    const begin = await batches.beginUpload(token);
    // The link may have been revoked while the files arrived.
    const check = async (): Promise<void> => void (await batches.find(token));
    await storeUploadForm(files, await begin(sender.length), Date.now, check);
    const { batch, isNew } = await batches.commit(token);
    if (isNew) recordCommit(activity, sender.client, batch);
    return batch;
  } catch (error) {
    await batches.drop(token).catch(() => {});
    throw error;
  }
}
