import type { Caller } from "../../../domain/callers/caller.ts";
import { Fault, requestRunning } from "../../../domain/faults/fault.ts";
import { parseKey, splitKey } from "../../../domain/names/name.ts";
import type { FileRecord, Millis } from "../../../domain/records.ts";
import type { RequestToRemember } from "../../../domain/uploads.ts";
import type { Files } from "../../../files/files.ts";
import { createDigest, sha256Of } from "../../../runtime/hash.ts";
import { readChangeConditions, requireConditions } from "../../../semantics/change-conditions.ts";
import { etag } from "../../../semantics/etag.ts";
import { bodyOf } from "../../connection/body-of.ts";
import { checkBodyDigest } from "../body-digest.ts";
import { fileObject } from "../objects.ts";
import { parseLifetimeTexts, readLifetime } from "../read-lifetime.ts";
import { parseMetadataField } from "../store-upload-form.ts";
import type { Handlers } from "./handler.ts";

type PutContent = Handlers<"putContent">["putContent"];
type Input = Parameters<PutContent>[0];

/** The file, and whether it is a new one. */
interface Stored {
  readonly file: FileRecord;
  readonly isNew: boolean;
}

export function createPutContent(
  files: Pick<Files, "beginUpload" | "look" | "rememberedRequest">,
  now: () => Millis,
): PutContent {
  const running = new Set<string>();

  async function store(
    { request, query, authorize, requireStillAuthenticated }: Input,
    remember: RequestToRemember | undefined,
  ): Promise<Stored> {
    const { headers } = request;
    const { key, name, folder } = placeOf(query.key);
    const { onConflict = "replace", visibility, metadata } = query;
    const target = {
      folder,
      onConflict,
      visibility,
      conditions: readChangeConditions(headers),
      metadata: (metadata && parseMetadataField(metadata)) || undefined,
      lifetime: readLifetime(parseLifetimeTexts(query), now()),
      remember,
    };
    const body = checkBodyDigest(bodyOf(request), headers);
    const writer = await authorize();
    const before = await files.look.fileAt(writer, key);
    const upload = await files.beginUpload(writer, Number(headers.get("content-length") ?? 0));
    try {
      if (target.conditions !== undefined) requireConditions(before, target.conditions);
      await upload.expectTarget({ folder, onConflict, replaces: name });
      await upload.add(name, headers.get("content-type") ?? undefined, body);
      await requireStillAuthenticated();
    } catch (error) {
      await upload.abort();
      throw error;
    }
    const [stored] = await upload.commit(target);
    const file = stored ?? (await files.look.file(writer, { key }));
    return { file, isNew: stored !== undefined && stored.id !== before?.id };
  }

  /** The file that an earlier, same request has stored; undefined: there is none, or it has changed since. */
  async function findStored(
    { request, caller, authorize, requireStillAuthenticated }: Input,
    remember: RequestToRemember,
  ): Promise<Stored | undefined> {
    const remembered = await files.rememberedRequest(remember.id);
    if (remembered === undefined) return undefined;
    if (!remembered.isSame(remember.request)) throw keyReused();
    if (remembered.file === undefined) return undefined;
    const selector = { id: remembered.file.id };
    const writer = await authorize(() => files.look.file(caller, selector));
    const file = await files.look.file(writer, selector);
    await requireContent(remembered.file, checkBodyDigest(bodyOf(request), request.headers));
    await requireStillAuthenticated();
    return { file, isNew: file.createdAt === file.modifiedAt };
  }

  async function storeOnce(input: Input, remember: RequestToRemember): Promise<Stored> {
    const { id } = remember;
    if (running.has(id)) throw requestRunning();
    running.add(id);
    try {
      return (await findStored(input, remember)) ?? (await store(input, remember));
    } finally {
      running.delete(id);
    }
  }

  return async (input) => {
    if (input.request.headers.has("content-range")) {
      throw new Fault("invalid", "`Content-Range` is for parts of a file: send the whole content.");
    }
    const remember = readIdempotencyKey(input);
    const { file, isNew } = await (remember === undefined
      ? store(input, undefined)
      : storeOnce(input, remember));
    if (!isNew) input.setStatus(200);
    input.setHeader("ETag", etag(file.size, file.modifiedAt));
    return { file: fileObject(file) };
  };
}

/** Headers that, besides the query and the content, decide what the request does. */
const DECIDING = [
  "content-type",
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
] as const;

/** Fault "invalid": the header is malformed. */
function readIdempotencyKey({
  request: { headers },
  query,
  caller: { actor },
}: {
  readonly request: Request;
  readonly query: Input["query"];
  readonly caller: Pick<Caller, "actor">;
}): RequestToRemember | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Fault("invalid", "`Idempotency-Key` must be 1 to 255 characters without spaces.");
  }
  const { onConflict, visibility, metadata, expiresIn, expiresAt } = query;
  const options = [onConflict, visibility, metadata, expiresIn, expiresAt];
  const given = [parseKey(query.key), ...options.map((option) => option ?? null)];
  const conditions = DECIDING.map((name) => headers.get(name));
  return {
    id: sha256Of(JSON.stringify([actor.kind, actor.id, key])),
    request: sha256Of(JSON.stringify([...given, ...conditions])),
  };
}

/** Fault "unprocessable": the body is other content, which need not arrive to the end. */
async function requireContent(
  { size, sha256 }: FileRecord,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const digest = createDigest("sha256");
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > size) throw keyReused();
    digest.update(chunk);
  }
  if (received !== size || digest.digest("hex") !== sha256) throw keyReused();
}

const keyReused = (): Fault =>
  new Fault("unprocessable", "This `Idempotency-Key` was used for another request.", {
    code: "idempotency_key_reused",
  });

/** The folder and the name of a file with this key. Fault "invalid". */
function placeOf(text: string) {
  const key = parseKey(text);
  const place = text.endsWith("/") ? undefined : splitKey(key);
  if (place === undefined) {
    throw new Fault("invalid", "`key` must be the key of a file, such as `photos/harbour.jpg`.");
  }
  return { key, ...place };
}
