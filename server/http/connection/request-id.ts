/** The header with the id of a request, which the log has too. */
export const REQUEST_ID = "X-Request-Id";

/** `randomBytes` takes twice as long, and every request of the API has an id. */
export const newRequestId = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(8)).buffer)
    .toString("hex")
    .toUpperCase();

/** Safe in a header, in a log and on a page. */
const SAFE = /^[\w.:+/=-]{1,128}$/;

/** The id that a trusted proxy has given a request, or a new one. */
export function requestIdOf({ headers }: Request, isFromTrustedProxy: () => boolean): string {
  const given = headers.get(REQUEST_ID);
  return given !== null && SAFE.test(given) && isFromTrustedProxy() ? given : newRequestId();
}
