import { z } from "zod";
import { Fault } from "../../domain/faults/fault.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { Links } from "../../links/links.ts";
import type { LinkContent, OpenedLink } from "../../links/open-link.ts";
import { isForm, MAX_ANONYMOUS_JSON_BYTES, readForm, readJson } from "../api/input.ts";
import { batchObject } from "../api/upload-objects.ts";
import type { Brand } from "../brand/brand.ts";
import type { DownloadLog } from "../connection/download-log.ts";
import { mediaTypeOf } from "../connection/media-type-of.ts";
import { rejectEncodedBody } from "../connection/reject-headers.ts";
import { failure, statusOf, success } from "../connection/reply.ts";
import type { MultipartLimits } from "../multipart/limits.ts";
import { createNonce } from "../pages/security-headers.ts";
import { faultPage } from "./fault-page.ts";
import type { LinkTarget } from "./link-target.ts";
import { type DropPage, dropPage, sentPage } from "./pages/drop-page.ts";
import { notThere } from "./pages/notice-page.ts";
import { passwordPage, WRONG_PASSWORD } from "./pages/password-page.ts";
import { previewPage } from "./pages/shell.ts";
import { type ReceiveDeps, readFormStart, receiveFiles } from "./receive-files.ts";
import { LINK_HEADERS, pageResponse } from "./respond.ts";
import { type ContentRequest, createServeContent, type ServeContentDeps } from "./serve-content.ts";
import { readVisitCookies, visitCookie } from "./visit-cookie.ts";
import { isPrefetch, isPreview, wantsPage } from "./visitor.ts";

export interface ServeLinkDeps extends ServeContentDeps, ReceiveDeps {
  readonly links: Pick<Links, "open">;
  /** See `DownloadLog`. */
  readonly noteVisitor: DownloadLog["noteVisitor"];
  readonly multipartLimits: () => MultipartLimits;
  /** The path below which a proxy shows the site. */
  readonly basePath: string;
  /** null: the URL of each request. */
  readonly publicUrl: string | null;
  /** The name of the built script of the drop page; undefined: it has not been built. */
  readonly dropScript: () => string | undefined;
  readonly brand: () => Brand;
  readonly uploadLimits: () => Pick<DropPage, "maxFileBytes" | "maxFormFiles">;
}

/** A request for a link. */
export interface LinkRequest {
  readonly request: Request;
  readonly target: LinkTarget;
  /** The address of the client. */
  readonly client: string;
  readonly requestId: string;
}

/** Responds to a request below `/s/`. Faults: of `OpenLink`; "not_found": the path names nothing in it. */
export type ServeLink = (asked: LinkRequest) => Promise<Response>;

export function createServeLink(deps: ServeLinkDeps): ServeLink {
  const { links, basePath, publicUrl, brand } = deps;
  const content = createServeContent(deps);
  const secure = publicUrl?.startsWith("https:") ?? false;

  const pathOf = ({ token }: LinkTarget): string => `${basePath}/s/${encodeURIComponent(token)}`;

  /** Starts a visit, unless one runs. `addCookie` remembers it in the browser. */
  async function visit(link: OpenedLink, target: LinkTarget, password: string | undefined) {
    if (link.entry === "visiting" && link.content !== undefined) {
      return { content: link.content, addCookie: (response: Response) => response };
    }
    const { content: found, cookie } = await link.enter(password);
    return {
      content: found,
      addCookie(response: Response): Response {
        const fields = { ...cookie, path: pathOf(target), secure };
        response.headers.append("Set-Cookie", visitCookie(fields));
        return response;
      },
    };
  }

  async function get(asked: LinkRequest, link: OpenedLink): Promise<Response> {
    const { request, target } = asked;
    if (isPreview(request)) {
      if (link.content !== undefined) return showOrFail(asked, link, link.content);
      // Browsers keep successful responses for the visit, and ask again after others.
      if (isPrefetch(request)) throw notYet();
      return pageResponse(previewPage(headOf(link), brand()), request, { nonce: createNonce() });
    }
    if (link.entry === "password") return askForPassword(asked, link, brand());
    const { content: found, addCookie } = await visit(link, target, undefined);
    return addCookie(await showOrFail(asked, link, found));
  }

  /** Also a failure is part of the visit: it is counted, so the browser gets its cookie. */
  async function showOrFail(
    asked: LinkRequest,
    link: OpenedLink,
    found: LinkContent,
  ): Promise<Response> {
    return orFail(asked, () => show(asked, link, found));
  }

  async function orFail(asked: LinkRequest, respond: () => Promise<Response>): Promise<Response> {
    const { request, target } = asked;
    try {
      return await respond();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (!wantsPage(request)) return failure(error, LINK_HEADERS);
      return error.kind === "not_found" && target.path !== ROOT_KEY
        ? faultPage(error, { ...asked, brand: brand() }, notThere(target.paths))
        : faultPage(error, { ...asked, brand: brand() });
    }
  }

  function contentRequest({ request, target }: LinkRequest, link: OpenedLink): ContentRequest {
    const origin = new URL(publicUrl ?? request.url, "http://localhost").origin;
    return { request, target, link, url: `${origin}${pathOf(target)}` };
  }

  function show(asked: LinkRequest, link: OpenedLink, found: LinkContent): Promise<Response> {
    const whole = contentRequest(asked, link);
    if (found.kind === "file") return content.file(whole, found);
    if (found.kind === "folder") return content.folder(whole, found);
    return Promise.resolve(showDrop(asked, link));
  }

  function showDrop({ request, target }: LinkRequest, link: OpenedLink, problem?: Fault): Response {
    if (target.path !== ROOT_KEY) throw nothingThere();
    const nonce = createNonce();
    const { expiresAt } = link;
    const frame = { paths: target.paths, nonce, expiresAt, brand: brand() };
    const received = /^[1-9]\d{0,8}$/.exec(target.query.get("received") ?? "")?.[0];
    if (received !== undefined && problem === undefined) {
      const text = sentPage(frame, link.heading, Number(received));
      return pageResponse(text, request, { nonce });
    }
    const name = deps.dropScript();
    const script = name === undefined ? undefined : target.paths.site(`app/${name}`);
    const { maxFiles, maxBytes, heading: title } = link;
    const page = {
      title,
      maxFiles,
      maxBytes,
      script,
      problem: problem?.message,
      ...deps.uploadLimits(),
    };
    const status = problem === undefined ? 200 : statusOf(problem);
    return pageResponse(dropPage(frame, page), request, { nonce, status });
  }

  async function post(asked: LinkRequest, link: OpenedLink): Promise<Response> {
    const { request, target } = asked;
    rejectEncodedBody(request);
    if (link.kind === "drop" && mediaTypeOf(request.headers) === "application/json") {
      return startBatch(asked, link);
    }
    const isWholeForm = mediaTypeOf(request.headers) === "multipart/form-data";
    if (isWholeForm) return receiveForm(asked, link);
    if (!isForm(request)) {
      throw new Fault("unsupported_media_type", "Send a form, with the `password` of the link.");
    }
    const { password = [], file } = await readForm(request, visitorForm, { ignoresUnknown: true });
    if (file !== undefined && link.kind === "read") return zipFiles(asked, link, file, password[0]);
    return unlock(asked, link, target, password[0]);
  }

  async function zipFiles(
    asked: LinkRequest,
    link: OpenedLink,
    names: readonly string[],
    password: string | undefined,
  ): Promise<Response> {
    const { content: found, addCookie } = await visit(link, asked.target, password);
    return addCookie(
      await orFail(asked, async () => {
        if (found.kind !== "folder") throw nothingThere();
        return content.selection(contentRequest(asked, link), found, names);
      }),
    );
  }

  /** Browsers ask again, so that a reload sends no password; others get the response at once. */
  async function unlock(
    asked: LinkRequest,
    link: OpenedLink,
    target: LinkTarget,
    password: string | undefined,
  ): Promise<Response> {
    const { content: found, addCookie } = await visit(link, target, password);
    if (!wantsPage(asked.request)) return addCookie(await showOrFail(asked, link, found));
    return addCookie(seeOther(asked.request.url.replace(/^[a-z]+:\/\/[^/]+/, basePath)));
  }

  async function startBatch(asked: LinkRequest, link: OpenedLink): Promise<Response> {
    const { request, target } = asked;
    if (target.path !== "batch") throw nothingThere();
    const { name, password } = await readJson(request, batchBody, {
      maxBytes: MAX_ANONYMOUS_JSON_BYTES,
    });
    const { content: found, addCookie } = await visit(link, target, password);
    if (found.kind !== "drop") throw nothingThere();
    const { batch, token } = await found.start(name);
    const data = { batch: batchObject(batch), url: `api/batches/${token}` };
    return addCookie(await success(data, LINK_HEADERS, 201));
  }

  async function receiveForm(asked: LinkRequest, link: OpenedLink): Promise<Response> {
    const { request, target, client } = asked;
    const start = await readFormStart(request, deps.multipartLimits());
    try {
      if (link.kind !== "drop") return await unlock(asked, link, target, start.password);
      if (target.path !== ROOT_KEY) throw nothingThere();
      const { content: found, addCookie } = await visit(link, target, start.password);
      if (found.kind !== "drop") throw nothingThere();
      const length = Number(request.headers.get("content-length") ?? 0);
      const batch = await receiveFiles(deps, found, start, { client, length });
      const { files, bytes } = batch;
      return addCookie(
        wantsPage(request)
          ? seeOther(`${pathOf(target)}?received=${files - (start.hasMessage ? 1 : 0)}`)
          : await success({ files, bytes }, LINK_HEADERS, 201),
      );
    } catch (error) {
      const mayRetry = error instanceof Fault && link.kind === "drop" && wantsPage(request);
      if (!mayRetry || error.kind === "not_found" || error.kind === "unauthorized") throw error;
      return showDrop(asked, link, error);
    } finally {
      await start.end();
    }
  }

  return async (asked) => {
    const { request, target, client } = asked;
    const cookies = readVisitCookies(request.headers.get("cookie"));
    const link = await links.open(target.token, { cookies, client });
    deps.noteVisitor(request, link.visitor);
    if (request.method !== "POST") return get(asked, link);
    try {
      return await post(asked, link);
    } catch (error) {
      const isAboutPassword =
        error instanceof Fault &&
        link.entry === "password" &&
        (error.kind === "unauthorized" || error.kind === "rate_limited");
      if (!isAboutPassword || !wantsPage(request)) throw error;
      return askForPassword(asked, link, brand(), error);
    }
  };
}

/** The password, and the names of files for a zip. */
const visitorForm = z.object({
  password: z.array(z.string()).max(1).optional(),
  file: z.array(z.string()).optional(),
});

const batchBody = z.object({
  name: z.string().optional(),
  password: z.string().optional(),
});

const headOf = ({ heading, kind }: OpenedLink) => ({
  title: heading ?? "Shared with you",
  description: kind === "drop" ? "Send files here." : "Open the link to see what is shared.",
});

/** A form that goes to what was asked for. `problem`: why the last attempt failed. */
function askForPassword(
  { request, target }: LinkRequest,
  link: OpenedLink,
  brand: Brand,
  problem?: Fault,
): Response {
  if (!wantsPage(request) && problem === undefined && target.path !== ROOT_KEY) throw needed();
  const nonce = createNonce();
  const query = target.query.size === 0 ? undefined : target.query.toString();
  const { path = ROOT_KEY, isFolder, paths } = target;
  const action =
    isFolder || path === ROOT_KEY ? paths.folder(path, query) : paths.file(path, query);
  const page = passwordPage(
    { paths, nonce, expiresAt: null, brand },
    { title: link.heading, action, problem: problem && problemText(problem) },
  );
  const status = problem?.kind === "rate_limited" ? 429 : isPlainPage(target, problem) ? 200 : 401;
  const retryAfter = problem?.retryAfter;
  const headers = retryAfter === undefined ? undefined : { "Retry-After": String(retryAfter) };
  return pageResponse(page, request, { nonce, status, ...(headers && { headers }) });
}

/** Everything else fails without the password, which programs see from the status. */
const isPlainPage = ({ path, query }: LinkTarget, problem: Fault | undefined): boolean =>
  problem === undefined && path === ROOT_KEY && query.size === 0;

function problemText({ kind, retryAfter }: Fault): string {
  if (kind === "rate_limited") {
    return `Too many wrong passwords. Try again in ${waitingTime(retryAfter ?? 60)}.`;
  }
  return WRONG_PASSWORD;
}

const waitingTime = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

const needed = (): Fault =>
  new Fault(
    "unauthorized",
    "This link needs its password: send it as the field `password` of a form.",
  );

const notYet = (): Fault => new Fault("unavailable", "Link previews cannot open this link.");

const nothingThere = (): Fault => new Fault("not_found", "There is nothing at this path.");

const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { ...LINK_HEADERS, Location: location } });
