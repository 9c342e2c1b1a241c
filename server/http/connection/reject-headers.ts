import { CHANGE_CONDITIONS } from "../../../contract/conditions.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { similarName } from "../../domain/names/similar-name.ts";

/**
 * Rejects conditional requests for a change that evaluates no conditions. Fault "invalid": the request has a condition,
 * so the client expects that the change does not happen if it does not hold.
 */
export function rejectConditions({ headers }: Request): void {
  const condition = CHANGE_CONDITIONS.find((name) => headers.has(name));
  if (condition === undefined) return;
  throw new Fault(
    "invalid",
    `This operation takes no condition, but the request has \`${condition}\`. Nothing was changed: send it without the header.`,
  );
}

/** The prefixes that programs put before names of their own. */
const PREFIX = /^x-(?:(?:amz|goog|holdall)-)?/;

/** Whether a header, a parameter or a field of this name asks for a dry run, such as `X-Dry-Run` and `dry_run`. */
export const meansDryRun = (name: string): boolean =>
  // Quicker than to compare the letters of every header.
  /dry/i.test(name) &&
  similarName(name.toLowerCase().replace(PREFIX, ""), ["dryRun"]) !== undefined;

/**
 * No request has a dry run in a header, but many other services have: what its sender only wants to try must not be done.
 * Fault "invalid".
 */
export function rejectDryRunHeader({ headers }: Request): void {
  // Quicker than the iterator of the headers.
  headers.forEach((value, name) => {
    if (!meansDryRun(name) || value.toLowerCase() === "false") return;
    throw new Fault(
      "invalid",
      `\`${name}\` is not a header of this server: where a request has a dry run, it is \`dryRun\` in the body or the query. Nothing was changed.`,
    );
  });
}

/** Fault "unsupported_media_type": the body is compressed. The server would read it as it is. */
export function rejectEncodedBody({ method, headers }: Request): void {
  if (method === "GET" || method === "HEAD") return;
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  throw new Fault(
    "unsupported_media_type",
    "The body has a Content-Encoding, which this server does not decode: send it uncompressed, without the header.",
  );
}
