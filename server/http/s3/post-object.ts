import { declaredCharset } from "../../../contract/text/charset.ts";
import type { S3Access, S3FormIdentity } from "../../access/s3/s3-access.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { splitKey } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import { headerValue } from "../../semantics/s3/header-text.ts";
import { parseObjectKey } from "../../semantics/s3/object-key.ts";
import { objectMetadata } from "../../semantics/s3/object-metadata.ts";
import { objectType } from "../../semantics/s3/object-type.ts";
import { checksumHeaders } from "../../semantics/s3/plan-object.ts";
import { MAX_OBJECT_TAGS, type Tags } from "../../semantics/s3/tags.ts";
import { UNSIGNED_BODY } from "../../semantics/s3-signature/body-format.ts";
import type { RequestHead } from "../../semantics/s3-signature/request-head.ts";
import { rejectEncodedBody } from "../connection/reject-headers.ts";
import { defaultLimits } from "../multipart/limits.ts";
import type { Part } from "../multipart/part.ts";
import { readMultipart } from "../multipart/read-multipart.ts";
import { readText } from "../multipart/read-text.ts";
import { type Audited, storedFile } from "./audited.ts";
import { readContent } from "./body/read-content.ts";
import { receivedBody } from "./body/received-body.ts";
import { visibilityOfAcl } from "./canned-acl.ts";
import { checkEncryption, ENCRYPTION } from "./encryption.ts";
import { requireAcls } from "./handlers/bucket-ownership.ts";
import { keptAttributes, storeContent } from "./handlers/put-object.ts";
import { rejectDryRun, rejectUnsupportedHeaders } from "./reject-unsupported.ts";
import { type BucketInput, requireBucket } from "./s3-input.ts";
import { emptyResponse } from "./s3-response.ts";
import { readTagging } from "./xml/tagging.ts";
import { writeXml } from "./xml/write-xml.ts";

const MAX_PARTS = 100;
/** The most bytes of all fields together: they are kept in memory before the sender is known. */
const MAX_FIELDS_BYTES = 64 * 1024;
/** Stands for the name of the file in every field. */
const FILENAME = `$\{filename}`;

/** A form whose fields were read up to the file, and whose sender is known. */
export interface PostForm {
  readonly identity: S3FormIdentity;
  /** With the name of the file in them. */
  readonly fields: ReadonlyMap<string, string>;
  readonly file: Part;
  readonly rest: AsyncGenerator<Part, void, void>;
}

/**
 * Reads the fields of an upload form and authenticates its policy. S3Faults "AccessDenied": the form has
 * no policy; "MalformedPOSTRequest", also of a compressed form; others of the policy.
 */
export async function openPostForm(
  request: Request,
  head: RequestHead,
  bucket: string,
  access: S3Access,
): Promise<PostForm> {
  const form = readMultipart(
    receivedBody(request),
    request.headers.get("content-type"),
    defaultLimits(MAX_PARTS),
  );
  const fields = new Map<string, string>();
  let room = MAX_FIELDS_BYTES;
  try {
    rejectEncodedBody(request);
    for (let next = await form.next(); next.done !== true; next = await form.next()) {
      const part = next.value;
      const name = part.name.toLowerCase();
      if (name === "file") {
        if ((fields.get("bucket") ?? bucket) !== bucket) {
          throw new S3Fault("InvalidArgument", "The field bucket is not the bucket of the URL.");
        }
        fields.set("bucket", bucket);
        // The policy is about the fields that count: in AWS too, "all variables are expanded before".
        const filled = withFilename(fields, part.filename ?? "");
        const identity = await access.authenticateForm(head, filled);
        if (identity === undefined) {
          throw new S3Fault("AccessDenied", "The form needs a policy and its signature.");
        }
        return { identity, fields: filled, file: part, rest: form };
      }
      if (fields.has(name)) {
        throw new S3Fault("MalformedPOSTRequest", `The field ${name} is given twice.`);
      }
      const value = await readText(part, room);
      room -= Buffer.byteLength(value);
      fields.set(name, value);
    }
    throw new S3Fault("InvalidArgument", "The form needs a field `file`, after all others.");
  } catch (error) {
    await form.return();
    if (!(error instanceof Fault) || error instanceof S3Fault) throw error;
    throw new S3Fault("MalformedPOSTRequest", error.message, { cause: error });
  }
}

/** PostObject: stores the file of a form, whose rest the caller must end. */
export async function postObject(
  input: BucketInput<Authorized<"write">>,
  form: PostForm,
  acceptsEncryption: boolean,
): Promise<Audited> {
  const { bucket, origin } = input;
  const { file, fields } = form;
  const headers = headersOf(fields);
  checkEncryption(headers, "POST", acceptsEncryption);
  rejectUnsupportedHeaders(headers, "POST", ["x-amz-acl", ENCRYPTION]);
  const kept = keptAttributes(
    fields.get("x-amz-storage-class"),
    await readTags(fields),
    fields.get("content-type"),
  );
  const objectKey = fields.get("key") ?? "";
  if (objectKey === "") {
    throw new S3Fault("InvalidArgument", "The form needs a field `key`.");
  }
  const { key, isFolder } = parseObjectKey(bucket, objectKey);
  if (isFolder) throw new S3Fault("InvalidArgument", "The key must not end with `/`.");
  await requireBucket(input);
  const acl = fields.get("acl") ?? fields.get("x-amz-acl") ?? null;
  await requireAcls(input, acl);
  const content = readContent(file.body, headers, UNSIGNED_BODY);
  const limited = { ...content, chunks: withinRange(content.chunks, form.identity.size) };
  const object = {
    key,
    mimeType: objectType(nameOf(key), fields.get("content-type")),
    charset: declaredCharset(fields.get("content-type")),
    metadata: objectMetadata(fields),
    visibility: visibilityOfAcl(acl),
  };
  const { file: record, attributes } = await storeContent(input, limited, object, kept);
  const location = `${origin}/${bucket}/${objectKey.split("/").map(encodeURIComponent).join("/")}`;
  const result = { bucket, objectKey, etag: `"${attributes.etag}"`, location };
  return storedFile(respond(fields, result, checksumHeaders(attributes)), record);
}

/**
 * The fields with the name of the file in place of `${filename}`. A browser may send a path, of which the
 * last segment counts. S3Fault "MalformedPOSTRequest": they are too long with it.
 */
function withFilename(
  fields: ReadonlyMap<string, string>,
  filename: string,
): ReadonlyMap<string, string> {
  const name = filename.replace(/^.*[/\\]/s, "");
  const values = Array.from(fields.values());
  const places = values.reduce((sum, value) => sum + value.split(FILENAME).length - 1, 0);
  if (places * Buffer.byteLength(name) > MAX_FIELDS_BYTES) {
    throw new S3Fault("MalformedPOSTRequest", "The fields are too long with the name of the file.");
  }
  return new Map(
    Array.from(fields, ([field, value]) => [field, value.replaceAll(FILENAME, () => name)]),
  );
}

/** The tags in the field `tagging`, which is a document. */
async function readTags(fields: ReadonlyMap<string, string>): Promise<Tags> {
  const document = fields.get("tagging");
  if (document === undefined) return [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(document ?? "");
  }
  return readTagging(chunks(), MAX_OBJECT_TAGS);
}

/** The headers that a PutObject would have. S3Fault "InvalidArgument": a field cannot be a header. */
function headersOf(fields: ReadonlyMap<string, string>): Headers {
  // The form does not say how long the file is.
  const headers = new Headers({ "transfer-encoding": "chunked" });
  for (const [name, value] of fields) {
    rejectDryRun(name, value);
    if (!name.startsWith("x-amz-") && !name.startsWith("if-")) continue;
    try {
      headers.set(name, headerValue(value.trim()));
    } catch (cause) {
      throw new S3Fault(
        "InvalidArgument",
        "A field `x-amz-…` must have the name of an HTTP header and a value in one line.",
        { cause },
      );
    }
  }
  return headers;
}

const nameOf = (key: Key): string => splitKey(key)?.name ?? "";

/** S3Faults "EntityTooSmall" and "EntityTooLarge": the file does not have a size that the policy allows. */
async function* withinRange(
  chunks: AsyncIterable<Uint8Array>,
  size: { readonly min: number; readonly max: number } | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (size !== undefined && bytes > size.max) {
      throw new S3Fault("EntityTooLarge", `The policy allows files of at most ${size.max} bytes.`);
    }
    yield chunk;
  }
  if (size !== undefined && bytes < size.min) {
    throw new S3Fault("EntityTooSmall", `The policy allows files of at least ${size.min} bytes.`);
  }
}

interface PostResult {
  readonly bucket: string;
  readonly objectKey: string;
  readonly etag: string;
  readonly location: string;
}

/** The response that the form asks for. Default: 204. */
function respond(
  fields: ReadonlyMap<string, string>,
  { bucket, objectKey, etag, location }: PostResult,
  checksums: Readonly<Record<string, string>>,
): Response {
  const headers = { ...checksums, ETag: etag, Location: location };
  const redirect = redirectUrl(
    fields.get("success_action_redirect") ?? fields.get("redirect") ?? "",
  );
  if (redirect !== undefined) {
    for (const [name, value] of Object.entries({ bucket, key: objectKey, etag })) {
      redirect.searchParams.set(name, value);
    }
    return emptyResponse(303, { ...headers, Location: redirect.href });
  }
  const status = fields.get("success_action_status");
  if (status === "201") {
    const body = writeXml(
      "PostResponse",
      { Location: location, Bucket: bucket, Key: objectKey, ETag: etag },
      "",
    );
    return new Response(body, {
      status: 201,
      headers: { ...headers, "Content-Type": "application/xml" },
    });
  }
  return emptyResponse(status === "200" ? 200 : 204, headers);
}

/** undefined: it is no URL of a web page, which is ignored as in S3. */
function redirectUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}
