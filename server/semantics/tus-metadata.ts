import { Fault } from "../domain/faults/fault.ts";

/*
 * `Upload-Metadata` of tus 1.0.0: pairs of a key and a value in base64, separated by commas. The
 * value may be empty, and its space then be left out.
 */

/** More is refused: a row keeps the header as it was sent. */
export const MAX_TUS_METADATA = 8192;

/** Printable ASCII but spaces and commas. Other values never reach a response header. */
const KEY = /^[\x21-\x2b\x2d-\x7e]{1,128}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

const EXAMPLE = "`filename d29ybGQucGRm,filetype YXBwbGljYXRpb24vcGRm`";

/** The values by key, as text. Fault "invalid": malformed, a key is repeated, or a value is not UTF-8. */
export function parseTusMetadata(header: string): ReadonlyMap<string, string> {
  if (header.length > MAX_TUS_METADATA) {
    throw new Fault("invalid", `Upload-Metadata must have at most ${MAX_TUS_METADATA} characters.`);
  }
  const pairs = new Map<string, string>();
  if (header.trim() === "") return pairs;
  for (const pair of header.split(",")) {
    const [key = "", value = "", ...more] = pair.trim().split(" ");
    if (!KEY.test(key) || !BASE64.test(value) || more.length > 0) {
      throw new Fault(
        "invalid",
        `Upload-Metadata is malformed: it should look like ${EXAMPLE}, with values in base64.`,
      );
    }
    if (pairs.has(key)) {
      throw new Fault("invalid", `Upload-Metadata has the key \`${key}\` twice.`);
    }
    pairs.set(key, decode(key, value));
  }
  return pairs;
}

function decode(key: string, value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(value, "base64"),
    );
  } catch {
    throw new Fault("invalid", `The value of \`${key}\` in Upload-Metadata is not valid UTF-8.`);
  }
}

/** The header with these pairs. The keys must be valid. */
export const formatTusMetadata = (pairs: Iterable<readonly [string, string]>): string =>
  [...pairs]
    .map(([key, value]) => (value === "" ? key : `${key} ${Buffer.from(value).toString("base64")}`))
    .join(",");
