import { refusesConditions } from "../../contract/conditions.ts";
import type { KeyAction } from "../../contract/key-actions.ts";
import type { Operation } from "../../contract/operation.ts";
import { type HeaderPairs, type Reachable, send, unique } from "../client.ts";
import { bareExample, type ExampleRequest } from "../example-requests.ts";
import type { HttpResponse } from "../http-response.ts";
import { rawRequest } from "../raw.ts";
import type { Scene } from "./scene.ts";

/** Sends a request that fails. */
export type Provoke = () => Promise<HttpResponse>;

/** More than any limit of a body that is not a file. */
const TOO_MUCH = " ".repeat(9 * 1024 * 1024);
const NOBODY = "0".repeat(32);
const WEAK: readonly KeyAction[] = ["list", "read", "write", "discard", "share"];

/** How requests fail that are like the example of an operation, by status and code. */
export function generalFailures(
  operation: Operation,
  { path, headers, content }: ExampleRequest,
  scene: Scene,
): Readonly<Record<string, Provoke | undefined>> {
  const { method, permission, ignoresUnknown, body } = operation;
  const { site, limited, strict, ungranted, granted } = scene;
  const bare = bareExample(operation);
  const without = Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== "API-Key" && name !== "Cookie"),
  );
  const as = (cookie: string, more: HeaderPairs = {}): HeaderPairs => ({
    ...without,
    Cookie: cookie,
    ...more,
  });
  const ask = (change: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: HeaderPairs;
    readonly content?: string | Uint8Array | undefined;
    readonly to?: Reachable;
  }): Promise<HttpResponse> => {
    const sent = "content" in change ? change.content : content;
    const { to = site } = change;
    return send(to, change.method ?? method, change.path ?? path, change.headers ?? headers, sent);
  };
  const added = (parameter: string): string =>
    `${path}${path.includes("?") ? "&" : "?"}${parameter}`;
  const json = typeof content === "string" && content.startsWith("{") ? content : undefined;
  const unknown = ignoresUnknown === true ? "dry_run" : "nonsense";
  /** A body where there should be none. */
  const withBody = (text: string): Promise<HttpResponse> => {
    const all = { ...headers, Host: "localhost", Connection: "close" };
    const lines = Object.entries({ ...all, "Content-Length": `${text.length}` });
    const head = [`${method} ${path} HTTP/1.1`, ...lines.map((pair) => pair.join(": "))];
    return rawRequest(site.port, `${head.join("\r\n")}\r\n\r\n${text}`);
  };
  const takesNone = body === undefined && ignoresUnknown !== true;
  const invalid = (): Promise<HttpResponse> => {
    if (json !== undefined) return ask({ content: "[1" });
    if (body !== undefined && "multipart" in body) return ask({ content: "no form" });
    if (takesNone) return withBody("[1");
    return ask({ headers: { ...headers, "If-Match": '"other"' } });
  };
  const needed: readonly string[] = typeof permission === "object" ? permission.actions : [];
  const weak = WEAK.filter((action) => !needed.includes(action));
  const keyOf = async (secret: Promise<string>) => ({ ...headers, "API-Key": await secret });
  const nowhere = unique("nowhere");
  /** Names what does not exist. */
  const missing = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{32}/g, NOBODY)
      .replace(/\b(key|folder)=[^&]+/, `$1=${nowhere}`)
      .replace(/"(key|folder|parent)":"[^"]*"/, `"$1":"${nowhere}"`)
      .replace("harbour", nowhere);

  return {
    "400 unknown_field": () => {
      if (json !== undefined) return ask({ content: json.replace("{", `{"${unknown}":true,`) });
      const { include } = operation.query?.shape ?? {};
      return ask({ path: added(include === undefined ? `${unknown}=1` : "include=nonsense") });
    },
    "400 invalid_request":
      json !== undefined || takesNone || refusesConditions(operation) ? invalid : undefined,
    "400 space_required": () => ask({ headers: as(granted.cookie) }),
    "401 unauthorized": () =>
      ask({
        headers: operation.access === "anyone" ? { ...headers, Origin: "https://a.test" } : without,
      }),
    "403 forbidden": async () =>
      operation.access === "account"
        ? ask({ headers: as(ungranted.cookie) })
        : ask({ headers: await keyOf(scene.secretFor(weak)) }),
    "403 no_grant": () => ask({ headers: as(ungranted.cookie) }),
    "403 unknown_space": () => ask({ headers: as(granted.cookie, { "Holdall-Space": NOBODY }) }),
    "403 second_factor_required": () =>
      ask({
        ...bare,
        headers: { ...bare.headers, Cookie: scene.strictCookie, Origin: strict.url },
        to: strict,
      }),
    "404 not_found": () =>
      ask({
        path: missing(bare.path),
        content: typeof bare.content === "string" ? missing(bare.content) : bare.content,
      }),
    "405 method_not_allowed": () =>
      ask({
        method: "PROPFIND",
        headers: { ...headers, "API-Key": site.apiKey },
        content: undefined,
      }),
    "412 precondition_failed": () => ask({ headers: { ...headers, "If-Match": '"other"' } }),
    "412 unsupported_version": () => ask({ headers: { ...headers, "Tus-Resumable": "0.2.2" } }),
    "413 too_large": takesNone
      ? () => withBody(TOO_MUCH)
      : json !== undefined
        ? () => ask({ content: json + TOO_MUCH })
        : undefined,
    "415 unsupported_media_type": () =>
      ask({ headers: { ...headers, "Content-Encoding": "gzip" } }),
    "416 range_not_satisfiable": () => ask({ headers: { ...headers, Range: "bytes=999999999-" } }),
    "429 rate_limited": async () => {
      const again = { ...bare, headers: { ...bare.headers, Origin: limited.url }, to: limited };
      const first = await ask(again);
      // The minute of another test's request may end between the two.
      return first.status === 429 ? first : ask(again);
    },
  };
}
