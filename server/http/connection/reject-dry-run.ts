import { Fault } from "../../domain/faults/fault.ts";
import { similarName } from "../../domain/names/similar-name.ts";

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
