import { Fault } from "../../domain/faults/fault.ts";
import { escapeHtml } from "../../runtime/markup.ts";
import { accepts } from "../../semantics/accepts.ts";
import { type Brand, colorPath, logoPath } from "../brand/brand.ts";
import { failure, type HeaderFields } from "../connection/reply.ts";
import type { Guides } from "./guides.ts";
import {
  contentPolicy,
  createNonce,
  noFrames,
  ownWindow,
  scriptsWith,
  securityHeaders,
} from "./security-headers.ts";

/** A built file, uncompressed and compressed. Bytes are read when they are sent. */
export interface Asset {
  readonly type: string;
  readonly identity: Blob;
  readonly br?: Blob | undefined;
  readonly gzip?: Blob | undefined;
}

/** Access to the built dashboard. */
export interface DashboardAssets {
  /** The HTML page; undefined: the dashboard has not been built. */
  page(): Promise<string | undefined>;
  /** The documents, the same object until the next build; undefined: they have not been built. */
  guides(): Guides | undefined;
  /** A built file by its name, which contains a hash of its content. */
  file(name: string): Asset | undefined;
  /** The name of the built script with this entry; undefined: the dashboard has not been built. */
  scriptName(entry: string): string | undefined;
}

/** Whether the request of a browser has a session cookie. It may have ended nevertheless. */
export type HasSession = (request: Request) => boolean;

/** How people sign in. */
export interface SignInMethods {
  /** The provider's name; null: there is none. */
  readonly provider: string | null;
  readonly password: boolean;
}

export interface DashboardDeps {
  readonly assets: DashboardAssets;
  readonly hasSession: HasSession;
  readonly brand: () => Brand;
  readonly signInMethods: SignInMethods;
  /** As `Settings.fresh`. */
  readonly freshSettings: () => Promise<void> | undefined;
}

type PageRoute = { GET: (request: Request) => Response | Promise<Response> };

/** The dashboard's paths. All serve the same page, whose script routes by the path. */
const PAGES = [
  "/",
  "/setup",
  "/sign-in",
  "/invite",
  "/files",
  "/files/*",
  "/links",
  "/trash",
  "/overview",
  "/activity",
  "/health",
  "/keys",
  "/people",
  "/webhooks",
  "/settings",
  "/settings/*",
];

/** Images and media are hosted files. */
const POLICY = contentPolicy(
  "worker-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
);

const PAGE_HEADERS: HeaderFields = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  // With "no-referrer", forms would send `Origin: null` and fail the API's origin check.
  ...securityHeaders("same-origin"),
  ...ownWindow,
  ...noFrames,
};

const NOT_BUILT =
  "The dashboard has not been built. Start the server with `npm start`, or run `npm run build`. The API and /docs work without it.";

/** Serves the dashboard's page and files. */
export function dashboardRoutes(deps: DashboardDeps): Record<string, PageRoute> {
  const page: PageRoute = { GET: (request) => pageResponse(deps, request, 200) };
  const routes: Record<string, PageRoute> = {};
  for (const path of PAGES) routes[path] = page;
  routes["/app/*"] = {
    GET: (request) => {
      const name = request.url.slice(request.url.lastIndexOf("/") + 1);
      const asset = deps.assets.file(name);
      return asset === undefined ? notFound() : assetResponse(asset, request);
    },
  };
  return routes;
}

/** 404 for a path without a route: browsers get the dashboard's page, programs the envelope. */
export async function unknownPath(deps: DashboardDeps, request: Request): Promise<Response> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const wantsPage = request.headers.get("accept")?.includes("text/html") ?? false;
  return isRead && wantsPage ? pageResponse(deps, request, 404) : notFound();
}

async function pageResponse(
  { assets, hasSession, brand, signInMethods, freshSettings }: DashboardDeps,
  request: Request,
  status: number,
): Promise<Response> {
  const built = await assets.page();
  if (built !== undefined) {
    // The page also works while the catalog does not.
    await freshSettings()?.catch(() => {});
    const page = withSignInMethods(withBrand(built, brand()), signInMethods);
    const nonce = createNonce();
    const headers = {
      ...PAGE_HEADERS,
      "Content-Security-Policy": `${POLICY}; ${scriptsWith(nonce)}`,
    };
    if (hasSession(request)) return new Response(withNonce(page, nonce), { status, headers });
    return new Response(withNonce(withoutSession(page), nonce), {
      status,
      // Going back after signing in must not show this page again.
      headers: { ...headers, "Cache-Control": "no-store" },
    });
  }
  return new Response(`${NOT_BUILT}\n`, {
    status: 503,
    headers: {
      ...PAGE_HEADERS,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Security-Policy": POLICY,
    },
  });
}

/** Tells the dashboard to show the sign-in page before it sends requests that would be refused. */
const withoutSession = (page: string): string =>
  page.replace('name="holdall-session" content="unknown"', 'name="holdall-session" content="none"');

/** Replaces placeholders of the page, which also has the base of its URLs. */
function withBrand(page: string, { name, color, logo }: Brand): string {
  const base = /name="holdall-base" content="([^"]*)"/.exec(page)?.[1] ?? "";
  const styles = color === "" ? "" : `<link rel="stylesheet" href="${base}/${colorPath(color)}">`;
  const picture = logo === null ? "" : `${base}/${logoPath(logo)} ${logo.width} ${logo.height}`;
  return page
    .replace("{{brand-styles}}", () => styles)
    .replace("{{brand-logo}}", () => picture)
    .replaceAll("{{brand-name}}", () => escapeHtml(name));
}

/** Tells the sign-in page before its first request. */
const withSignInMethods = (page: string, { provider, password }: SignInMethods): string =>
  page
    .replace("{{provider-name}}", () => escapeHtml(provider ?? ""))
    .replace("{{password-sign-in}}", password ? "on" : "off");

const withNonce = (page: string, nonce: string): string =>
  page.replace(/<(script|link rel="modulepreload") /g, `<$1 nonce="${nonce}" `);

const notFound = (): Response => failure(new Fault("not_found", "This path does not exist."));

function assetResponse(asset: Asset, request: Request): Response {
  const encoding = (["br", "gzip"] as const).find(
    (name) => asset[name] !== undefined && accepts(request.headers.get("accept-encoding"), name),
  );
  const headers = new Headers({
    "Content-Type": asset.type,
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept-Encoding",
  });
  if (encoding !== undefined) headers.set("Content-Encoding", encoding);
  return new Response((encoding && asset[encoding]) ?? asset.identity, { headers });
}
