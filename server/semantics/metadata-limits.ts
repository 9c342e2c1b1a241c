import { Fault } from "../domain/faults/fault.ts";
import { pairHeaders } from "./pair-headers.ts";

/** The most bytes of the metadata as JSON, in UTF-8. */
export const MAX_METADATA_BYTES = 2048;
/** Common clients accept at most 100 headers in a response. */
export const MAX_PAIRS = 32;
/**
 * The most bytes of the metadata as headers. Many proxies read a response head into 4,096 bytes, of
 * which the other headers take up to 2,200: the name of the file alone can take 1,100, and its type 300.
 */
export const MAX_HEADER_BYTES = 1800;

/** Fault "invalid" names the limit that the metadata, or its JSON, exceeds. */
export function checkMetadataLimits(
  metadata: Readonly<Record<string, string>>,
  json: string,
): void {
  const pairs = Object.keys(pairHeaders(metadata)).length;
  if (pairs > MAX_PAIRS) {
    throw tooLong(`it has ${pairs} pairs \`x-…\`; the limit is ${MAX_PAIRS}.`);
  }
  const jsonBytes = Buffer.byteLength(json);
  if (jsonBytes > MAX_METADATA_BYTES) {
    throw tooLong(`its JSON has ${jsonBytes} bytes; the limit is ${MAX_METADATA_BYTES}.`);
  }
  const bytes = headerBytes(metadata);
  if (bytes > MAX_HEADER_BYTES) {
    throw tooLong(
      `its headers may have ${MAX_HEADER_BYTES} bytes, and these have ${bytes}. The name of a pair counts twice, as it is also in \`Access-Control-Expose-Headers\`.`,
    );
  }
}

const tooLong = (reason: string): Fault =>
  new Fault("invalid", `The metadata is too long: ${reason}`);

/** What the metadata adds to a response head. `Content-Disposition` is limited by the length of names. */
function headerBytes(metadata: Readonly<Record<string, string>>): number {
  const { cacheControl, contentLanguage, contentEncoding, expires } = metadata;
  let bytes = Buffer.byteLength(cacheControl ?? "");
  if (contentLanguage !== undefined) bytes += line("Content-Language", contentLanguage);
  if (contentEncoding !== undefined) bytes += line("Content-Encoding", contentEncoding);
  if (expires !== undefined) bytes += line("Expires", expires);
  for (const [name, value] of Object.entries(pairHeaders(metadata))) {
    bytes += line(name, value) + `, ${name}`.length;
  }
  return bytes;
}

const line = (name: string, value: string): number => Buffer.byteLength(`${name}: ${value}\r\n`);
