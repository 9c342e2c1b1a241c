import { api, type HeaderPairs, type Reachable, send } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { type Signing, sha256, signHeader } from "../../test/s3-api/sign-request.ts";
import { keysData, s3CredentialsData } from "../../test/shapes.ts";

/** Signed requests of the S3 API to one server. */
export interface S3Client {
  /** `path` is a bucket or a key with its bucket. */
  send(method: string, path: string, request?: S3Request): Promise<HttpResponse>;
}

export interface S3Request {
  /** Percent-encoded, without the question mark. */
  readonly query?: string;
  /** Names in lower case. */
  readonly headers?: HeaderPairs;
  readonly body?: Uint8Array | string;
}

export function connectS3(server: Reachable, credentials: Signing): S3Client {
  const { host } = new URL(server.url);
  return {
    send(method, path, { query = "", headers = {}, body } = {}) {
      const bytes = Buffer.from(body ?? "");
      const draft = { method, path: `/${path}`, query, headers: { ...headers, host }, body: bytes };
      const signed = signHeader(draft, credentials, sha256(bytes)).headers;
      const target = query === "" ? `/${path}` : `/${path}?${query}`;
      return send(server, method, target, signed, body === undefined ? undefined : bytes);
    },
  };
}

/** The S3 credentials of the first API key; they stay valid in copies of the data folder. */
export async function readCredentials(server: Reachable): Promise<Signing> {
  const { keys } = expectData(await api(server).get("/api/keys"), keysData);
  const answer = await api(server).json("POST", "/api/keys/s3", { id: keys[0]?.id });
  return expectData(answer, s3CredentialsData);
}

/** Throws unless the response has this status. */
export function expectStatus(answer: HttpResponse, status: number): HttpResponse {
  if (answer.status === status) return answer;
  throw new Error(`The response was ${answer.status} ${answer.text}`);
}

/** The contents of all elements with this name. */
export function elementsOf({ text }: HttpResponse, name: string): string[] {
  const found = text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"));
  return Array.from(found, ([, content = ""]) => content.replaceAll("&quot;", '"'));
}
