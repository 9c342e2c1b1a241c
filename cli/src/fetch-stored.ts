import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Fetch } from "../../sdk/src/holdall.ts";

/**
 * Like `fetch`, but encoded content stays as it is stored, because its digest is compared. Node's own
 * `fetch` always decodes it, so there downloads, which follow redirects, go another way.
 */
export const fetchStored: Fetch =
  process.versions.bun === undefined
    ? (url, init) => (init.redirect === "follow" ? requestStored(url, init) : fetch(url, init))
    : (url, init) => fetch(url, { ...init, decompress: false });

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Responses that have no body. */
const EMPTY = new Set([204, 304]);

async function requestStored(
  url: string,
  init: RequestInit,
  redirects = MAX_REDIRECTS,
): Promise<Response> {
  const message = await send(url, init);
  const status = message.statusCode ?? 0;
  const { location } = message.headers;
  if (REDIRECTS.has(status) && location !== undefined) {
    message.destroy();
    if (redirects === 0) throw new Error("The server redirects too often.");
    const target = new URL(location, url);
    const headers = new Headers(init.headers);
    // The API key is for this server alone.
    if (target.origin !== new URL(url).origin) headers.delete("api-key");
    return requestStored(target.href, { ...init, headers }, redirects - 1);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  if (EMPTY.has(status)) message.resume();
  const body = EMPTY.has(status) ? null : bodyOf(message);
  return new Response(body, { status, headers });
}

function send(url: string, { method, headers, body, signal }: RequestInit) {
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      method: method ?? "GET",
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal == null ? {} : { signal }),
    };
    request(url, options, resolve)
      .once("error", reject)
      .end(typeof body === "string" ? body : undefined);
  });
}

/** Fails if the connection closes before the message is complete, as the body of `fetch` does. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = message[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
