import type { NamedType } from "../../../contract/text/file-kind.ts";
import { Fault, type FaultKind } from "../../domain/faults/fault.ts";
import { childKey, ROOT_KEY, splitKey, tryParseName } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key } from "../../domain/records.ts";
import { noSuchFile } from "../../files/find.ts";
import type { ReadBytes } from "../../files/read.ts";
import type { LinkContent, OpenedLink } from "../../links/open-link.ts";
import type { SharedFolder } from "../../links/shared-folder.ts";
import type { Brand } from "../brand/brand.ts";
import type { Deliver } from "../hosting/deliver.ts";
import { type DeliverVariant, parseLinkImageSize } from "../hosting/deliver-variant.ts";
import { archiveHeaders, type SendArchive } from "../hosting/send-archive.ts";
import { createNonce } from "../pages/security-headers.ts";
import { totalsOf } from "./folder-totals.ts";
import type { LinkTarget } from "./link-target.ts";
import { crumbsAbove } from "./pages/breadcrumbs.ts";
import { type FilePage, filePage } from "./pages/file-page.ts";
import { type FolderLayout, folderPage } from "./pages/folder-page.ts";
import { PDF, previewKind, VIEWER_SCRIPTS } from "./pages/preview-kind.ts";
import { readExcerpt } from "./read-excerpt.ts";
import { type FolderPart, readFolderPart, readSurroundings } from "./read-folder-page.ts";
import type { RenderText } from "./render-text.ts";
import { asShared, pageResponse } from "./respond.ts";

export interface ServeContentDeps {
  readonly deliver: Deliver;
  readonly deliverVariant: DeliverVariant;
  readonly sendArchive: SendArchive;
  readonly readBytes: ReadBytes;
  readonly renderText: RenderText;
  /** The file name of a script that shows files; undefined: it has not been built. */
  readonly viewerScript: (entry: string) => string | undefined;
  readonly brand: () => Brand;
}

/** What a visitor of a link to a file or folder asks for. */
export interface ContentRequest {
  readonly request: Request;
  readonly target: LinkTarget;
  readonly link: Pick<OpenedLink, "heading" | "downloadOnly" | "expiresAt" | "isUnlimited">;
  /** The absolute URL of the link, without a query. */
  readonly url: string;
}

/** Responds with pages, files and zips of what is shared. Fault "not_found": the path names nothing in it. */
export interface ServeContent {
  file(asked: ContentRequest, content: Extract<LinkContent, { kind: "file" }>): Promise<Response>;
  folder(
    asked: ContentRequest,
    content: Extract<LinkContent, { kind: "folder" }>,
  ): Promise<Response>;
  /** A zip of files in a folder, by their names. */
  selection(
    asked: ContentRequest,
    content: Extract<LinkContent, { kind: "folder" }>,
    names: readonly string[],
  ): Promise<Response>;
}

/** The file is no image that can be scaled, the server scales none, or it is too busy: browsers do not retry. */
const NO_VARIANT: ReadonlySet<FaultKind> = new Set([
  "unsupported_media_type",
  "unprocessable",
  "invalid",
  "unavailable",
]);

/** No page may contain the PDF. */
const PDF_POLICY = "frame-ancestors 'none'";

export function createServeContent(deps: ServeContentDeps): ServeContent {
  const { deliver, sendArchive, readBytes } = deps;

  async function bytes({ request, target, link }: ContentRequest, file: FileRecord) {
    const isDownload = link.downloadOnly || target.query.get("download") === "1";
    const size = isDownload ? undefined : parseLinkImageSize(target.query.getAll("size"));
    const response = asShared(
      size === undefined
        ? await deliver(file, request, isDownload ? "attachment" : "inline")
        : await picture(size, file, request),
    );
    // In a sandbox, browsers do not load what shows a PDF. Nothing of a PDF runs as part of this site.
    if (response.headers.get("content-type") === PDF)
      response.headers.set("Content-Security-Policy", PDF_POLICY);
    return response;
  }

  /** In a smaller size, or as it is if there is none: a page should show something. */
  async function picture(
    size: Parameters<DeliverVariant>[0],
    file: FileRecord,
    request: Request,
  ): Promise<Response> {
    try {
      return await deps.deliverVariant(size, file, request, "inline");
    } catch (error) {
      const isWanted = !request.signal.aborted;
      if (!isWanted || !(error instanceof Fault) || !NO_VARIANT.has(error.kind)) throw error;
      return deliver(file, request, "inline");
    }
  }

  async function zip({ request }: ContentRequest, service: SharedFolder, path: Key) {
    if (request.method !== "HEAD") {
      return sendArchive(await service.archive(path, request.signal), request);
    }
    // The size takes a plan of the whole zip, which HEAD is not worth: it is no visit.
    const headers = archiveHeaders(await service.archiveName(path));
    // Otherwise the runtime adds a length of 0. This says that the length is not known (RFC 9112, section 6.1).
    return new Response(null, { headers: { ...headers, "Transfer-Encoding": "chunked" } });
  }

  async function showFile(
    asked: ContentRequest,
    file: FileRecord,
    page: Pick<FilePage, "title" | "path" | "crumbs" | "before" | "after" | "position">,
  ): Promise<Response> {
    const { request, link, target } = asked;
    const { downloadOnly } = link;
    const kind = downloadOnly ? undefined : previewKind(file);
    const excerpt =
      kind === "text"
        ? await readExcerpt(readBytes, file, target.query.get("encoding"))
        : undefined;
    const nonce = createNonce();
    const { expiresAt } = link;
    const frame = { paths: target.paths, nonce, expiresAt, brand: deps.brand() };
    const picture = pictureOf(asked, [{ ...file, path: page.path }]);
    const isSource = target.query.get("source") === "1";
    const { name: fileName, mimeType, size } = file;
    const content =
      excerpt?.text === undefined
        ? undefined
        : await deps.renderText({
            file: { name: fileName, mimeType, size },
            text: excerpt.text,
            isWhole: excerpt.isWhole,
            isSource,
            images:
              page.crumbs === undefined
                ? undefined
                : { folder: page.path.slice(0, -fileName.length), root: target.paths.root() },
          });
    const entry = kind && VIEWER_SCRIPTS[kind];
    const name = entry && deps.viewerScript(entry);
    const viewer = name === undefined ? undefined : target.paths.site(`app/${name}`);
    const text = filePage(frame, {
      ...page,
      file,
      downloadOnly,
      excerpt,
      content,
      picture,
      viewer,
      isSource,
    });
    return pageResponse(text, request, { nonce });
  }

  async function showFolder(
    asked: ContentRequest,
    { folder, service }: { folder: FolderRecord; service: SharedFolder },
    path: Key,
  ): Promise<Response> {
    const { request, link, target } = asked;
    const view = await service.folder(path);
    const part = await readFolderPart(view, path, target.query);
    const top = link.heading ?? topName(folder);
    const nonce = createNonce();
    const text = folderPage(
      { paths: target.paths, nonce, expiresAt: link.expiresAt, brand: deps.brand() },
      {
        title: path === ROOT_KEY ? top : view.folder.name,
        path,
        downloadOnly: link.downloadOnly,
        crumbs: path === ROOT_KEY ? [] : crumbsAbove(top, path),
        layout: layoutOf(target.query, part, link.downloadOnly),
        folders: part.folders,
        files: part.files,
        more: part.more && queryOf(part.more, target.query),
        ...(isFirstPart(target.query) && (await totalsOf(service, path, part.folders))),
        picture: pictureOf(asked, part.files),
      },
    );
    return pageResponse(text, request, { nonce });
  }

  async function showFileInFolder(
    asked: ContentRequest,
    { folder, service }: { folder: FolderRecord; service: SharedFolder },
    path: Key,
    file: FileRecord,
  ): Promise<Response> {
    const parent = splitKey(path)?.folder ?? ROOT_KEY;
    const { before, after, position } = await readSurroundings(await service.folder(parent), file);
    const neighbours = (files: readonly FileRecord[]) =>
      files.map((each) => ({ ...each, path: childKey(parent, each.name) }));
    return showFile(asked, file, {
      title: file.name,
      path,
      crumbs: crumbsAbove(asked.link.heading ?? topName(folder), path),
      before: neighbours(before),
      after: neighbours(after),
      position,
    });
  }

  return {
    async file(asked, { file }) {
      const { target, link } = asked;
      const { path, query } = target;
      const path0 = childKey(ROOT_KEY, file.name);
      if (target.isFolder || (path !== ROOT_KEY && path !== path0)) throw noSuchFile();
      const isPage = path === ROOT_KEY ? query.get("download") !== "1" : query.get("view") === "1";
      if (!isPage) return bytes(asked, file);
      return showFile(asked, file, { title: link.heading ?? file.name, path: path0 });
    },

    async selection({ request, target: { path = ROOT_KEY } }, { service }, names) {
      const paths = names.map((text) => {
        const name = tryParseName(text);
        if (name === undefined) throw noSuchFile();
        return childKey(path, name);
      });
      return asShared(
        await sendArchive(await service.archiveFiles(paths, request.signal), request),
      );
    },

    async folder(asked, content) {
      const { target } = asked;
      const { path, query } = target;
      const { service } = content;
      if (path === undefined) throw noSuchFile();
      if (path === ROOT_KEY || target.isFolder) {
        const isZip = query.get("zip") === "1" || query.get("download") === "1";
        if (!isZip) return showFolder(asked, content, path);
        return asShared(await zip(asked, service, path));
      }
      const file = await service.file(path);
      return query.get("view") === "1"
        ? showFileInFolder(asked, content, path, file)
        : bytes(asked, file);
    },
  };
}

/** The root is shared without a name. */
const topName = ({ name }: FolderRecord): string => (name === "" ? "Shared files" : name);

const isFirstPart = (query: URLSearchParams): boolean =>
  !query.has("after") && !query.has("folders");

/** What the visitor chose; otherwise a gallery for folders that have mostly pictures. */
function layoutOf(query: URLSearchParams, part: FolderPart, downloadOnly: boolean): FolderLayout {
  // A gallery has no place for further folders.
  if (downloadOnly || part.more?.folders !== undefined || query.has("folders")) return "list";
  const chosen = query.get("view");
  if (chosen === "list" || chosen === "grid") return chosen;
  const pictures = part.files.filter((file) => previewKind(file) === "image").length;
  return pictures > 0 && pictures * 2 >= part.files.length ? "grid" : "list";
}

function queryOf(more: Readonly<Record<string, string>>, query: URLSearchParams): string {
  const view = query.get("view");
  return new URLSearchParams({ ...more, ...(view === null ? {} : { view }) }).toString();
}

type Pictured = NamedType & Pick<FileRecord, "size"> & { readonly path: Key };

/** Programs for previews cannot show SVG, and get no content that a visit is needed for. */
function pictureOf({ link, url }: ContentRequest, files: readonly Pictured[]): string | undefined {
  if (!link.isUnlimited || link.downloadOnly) return undefined;
  const first = files.find(
    (file) => previewKind(file) === "image" && file.mimeType !== "image/svg+xml",
  );
  return first && `${url}/${encodeURIComponent(first.path).replaceAll("%2F", "/")}`;
}
