import type { Outgoing } from "../../outgoing/outgoing.ts";
import { OutgoingFailure } from "../../outgoing/outgoing-failure.ts";

/** The limit for the headers, and for the whole response. */
const TIMEOUT_MS = 10_000;
/** Metadata, key sets and tokens have a few kilobytes, with many groups perhaps a hundred. */
const MAX_BYTES = 1024 * 1024;

interface ProviderRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Fetches from the provider, within a time and a size, without following redirects. OutgoingFailure. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

export function createProviderFetch({ send }: Pick<Outgoing, "send">): ProviderFetch {
  return async (url, { method, headers, body }) => {
    const response = await send({
      url: new URL(url),
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      headersMs: TIMEOUT_MS,
      totalMs: TIMEOUT_MS,
    });
    const { status } = response;
    if (status < 200 || status > 499 || status === 204) {
      response.close();
      throw new OutgoingFailure("broken", `The response has the status ${status}.`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body) {
      size += part.length;
      if (size > MAX_BYTES) {
        response.close();
        throw new OutgoingFailure("broken", "The response is too long.");
      }
      parts.push(part);
    }
    const type = response.header("content-type");
    return new Response(Buffer.concat(parts), {
      status,
      headers: type === undefined ? {} : { "content-type": type },
    });
  };
}
