import { Fault } from "../../domain/faults/fault.ts";
import type { MultipartLimits } from "./limits.ts";
import { type ParameterValue, parseParameters } from "./parameters.ts";
import type { PartHead } from "./part.ts";

const HEADER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):(.*)$/s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const ENCODINGS = new Set(["binary", "8bit", "7bit"]);
/** RFC 8187, section 3.2.1, in UTF-8: `UTF-8'language'value`. */
const EXTENDED = /^utf-8'[0-9A-Za-z-]*'((?:[!#$&+\-.^_`|~0-9A-Za-z]|%[0-9A-Fa-f]{2})*)$/i;

/**
 * Parses the headers of a part, given without the empty line that ends them. Fault "invalid": the
 * headers are malformed, repeated, too many or not UTF-8, have no field name, or declare a
 * Content-Transfer-Encoding (RFC 7578, section 4.7).
 */
export function parsePartHead(block: Uint8Array, limits: MultipartLimits): PartHead {
  const headers = parseHeaders(decode(block), limits.headers);

  const encoding = headers.get("content-transfer-encoding")?.toLowerCase();
  if (encoding !== undefined && !ENCODINGS.has(encoding)) {
    throw new Fault(
      "invalid",
      "A part has a Content-Transfer-Encoding. Send the bytes as they are, without one.",
    );
  }

  const disposition = headers.get("content-disposition");
  if (disposition === undefined) {
    throw new Fault(
      "invalid",
      'A part has no Content-Disposition. Every part needs `form-data; name="…"`.',
    );
  }
  const { value, parameters } = parseParameters("Content-Disposition", disposition);
  const name = parameters.get("name");
  if (value !== "form-data" || name === undefined) {
    throw new Fault(
      "invalid",
      'The Content-Disposition of a part must be `form-data` with a `name="…"`.',
    );
  }
  return {
    name: unquote(name),
    filename: filenameOf(parameters),
    type: headers.get("content-type"),
  };
}

function decode(block: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(block);
  } catch (cause) {
    throw new Fault("invalid", "The headers of a part, names included, must be UTF-8.", { cause });
  }
}

function parseHeaders(block: string, maxHeaders: number): Map<string, string> {
  const headers = new Map<string, string>();
  if (block === "") return headers;
  const lines = block.split("\r\n", maxHeaders + 1);
  if (lines.length > maxHeaders) {
    throw new Fault("invalid", `A part has more than ${maxHeaders} headers.`);
  }
  for (const line of lines) {
    const [, nameAsSent, text] = HEADER.exec(line) ?? [];
    const value = text?.trim();
    // Also rejects a folded line (RFC 822), which has no name.
    if (nameAsSent === undefined || value === undefined || CONTROL.test(value)) {
      throw new Fault("invalid", "A part has a malformed header. Each must be `Name: value`.");
    }
    const name = nameAsSent.toLowerCase();
    if (headers.has(name)) throw new Fault("invalid", `A part has the header ${name} twice.`);
    headers.set(name, value);
  }
  return headers;
}

function filenameOf(parameters: ReadonlyMap<string, ParameterValue>): string | undefined {
  const extended = parameters.get("filename*");
  if (extended !== undefined) return decodeExtended(extended);
  const plain = parameters.get("filename");
  return plain === undefined ? undefined : unquote(plain);
}

function decodeExtended({ raw, quoted }: ParameterValue): string {
  const encoded = quoted ? undefined : EXTENDED.exec(raw)?.[1];
  try {
    // Strict: decodeURIComponent throws on bytes that are not UTF-8.
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {}
  throw new Fault("invalid", "`filename*` must be UTF-8 in the form `UTF-8''percent-encoded`.");
}

/**
 * Decodes a quoted value from either kind of sender: browsers and current curl write %22, %0D and %0A
 * for quotes and line ends (and leave "%" alone), others put a backslash before a quote or a backslash.
 * Any other backslash is part of the value.
 */
function unquote({ raw, quoted }: ParameterValue): string {
  if (!quoted) return raw;
  return raw.replace(/\\(["\\])|%(22|0D|0A)/g, (_, escaped?: string, code?: string) =>
    escaped !== undefined ? escaped : String.fromCharCode(Number.parseInt(code ?? "", 16)),
  );
}
