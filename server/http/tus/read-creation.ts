import { Fault } from "../../domain/faults/fault.ts";
import { similarName } from "../../domain/names/similar-name.ts";
import { parseSha256 } from "../../domain/sha256.ts";
import { parseByteCount } from "../../domain/upload-fields.ts";
import { parseTusMetadata } from "../../semantics/tus-metadata.ts";
import { rejectMisspeltDryRun } from "../api/dry-runs.ts";
import { type LifetimeTexts, parseLifetimeTexts } from "../api/read-lifetime.ts";
import { mediaTypeOf } from "../connection/media-type-of.ts";
import { digestOf } from "./read-append.ts";

/**
 * What a client of tus says about a new upload in headers, in the shape of the JSON body. undefined: the
 * request has none of the headers. Fault "invalid": they are malformed, contradict each other, or come
 * with a JSON body.
 */
export function readTusCreation(headers: Headers): object | undefined {
  const header = headerOfTus(headers);
  if (header === undefined) return undefined;
  if (hasJsonBody(headers)) {
    throw new Fault(
      "invalid",
      `Describe the upload either in a JSON body or in headers of tus, not in both: leave out the body or ${header}.`,
    );
  }
  if (headers.has("upload-concat")) {
    throw new Fault(
      "invalid",
      "Concatenation of uploads is not supported: leave out Upload-Concat.",
    );
  }
  const pairs = parseTusMetadata(headers.get("upload-metadata") ?? "");
  rejectMisspeltDryRun(pairs.keys(), {});
  for (const key of pairs.keys()) rejectMisspelt(key);
  const first = (...keys: string[]): string | undefined =>
    keys.map((key) => pairs.get(key)).find((value) => value !== undefined && value !== "");
  const given = {
    size: lengthOf(headers),
    folder: pairs.get("folder"),
    name: first("filename", "name"),
    contentType: first("filetype", "type"),
    visibility: first("visibility"),
    onConflict: first("onConflict"),
    ...laterFields({ expiresIn: first("expiresIn"), expiresAt: first("expiresAt") }),
    sha256: sha256Of(headers, first("sha256")),
    metadata: parseObject(first("metadata")),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The header that makes a creation one of tus; undefined: it is described in JSON. */
const headerOfTus = (headers: Headers): string | undefined =>
  HEADERS.find((name) => headers.has(name));

/** The upload itself expires too, so the body has other names for them. */
function laterFields({ expiresIn, expiresAt }: LifetimeTexts): object {
  parseLifetimeTexts({ expiresIn, expiresAt });
  return {
    fileExpiresIn: expiresIn === "never" ? null : expiresIn && Number(expiresIn),
    fileExpiresAt: expiresAt === "never" ? null : expiresAt,
  };
}

const KEYS = [
  ...["folder", "visibility", "onConflict", "sha256", "metadata", "filename", "filetype"],
  ...["expiresIn", "expiresAt"],
];
/** Too short to look for misspelt ones: many other words resemble them. */
const SHORT_KEYS = ["name", "type"];

/** Clients send keys of their own, but a file must not become public because of a typing error. */
function rejectMisspelt(key: string): void {
  if ([...KEYS, ...SHORT_KEYS].includes(key)) return;
  const meant = similarName(key, KEYS);
  if (meant === undefined) return;
  throw new Fault(
    "invalid",
    `There is no key \`${key}\` in Upload-Metadata: did you mean \`${meant}\`?`,
  );
}

const HEADERS = ["Tus-Resumable", "Upload-Length", "Upload-Defer-Length"];

const hasJsonBody = (headers: Headers): boolean =>
  mediaTypeOf(headers) === "application/json" &&
  (headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0");

function lengthOf(headers: Headers): number | undefined {
  const length = parseByteCount("Upload-Length", headers.get("upload-length"));
  const deferred = headers.get("upload-defer-length");
  if (deferred !== null && deferred.trim() !== "1") {
    throw new Fault("invalid", "Upload-Defer-Length must be 1, or be left out.");
  }
  if ((length === null) === (deferred === null)) {
    throw new Fault(
      "invalid",
      "Send either Upload-Length with the size of the file, or `Upload-Defer-Length: 1`.",
    );
  }
  return length ?? undefined;
}

/** The digest of the whole file, in the metadata or as a representation digest. */
function sha256Of(headers: Headers, given: string | undefined): string | undefined {
  const digest = digestOf("Repr-Digest", headers);
  if (digest === null) return given;
  if (given !== undefined && parseSha256(given) !== digest) {
    throw new Fault(
      "invalid",
      "`sha256` in Upload-Metadata and the header Repr-Digest are different digests of the file: send one of them.",
    );
  }
  return digest;
}

function parseObject(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault("invalid", "The value of `metadata` in Upload-Metadata must be a JSON object.");
  }
}
