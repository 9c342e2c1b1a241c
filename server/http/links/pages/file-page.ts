import { ENCODINGS } from "../../../../contract/text/encodings.ts";
import { fileKind } from "../../../../contract/text/file-kind.ts";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { FileRecord, Key } from "../../../domain/records.ts";
import { type Content, html, type Markup } from "../../pages/html.ts";
import type { Excerpt } from "../read-excerpt.ts";
import { breadcrumbs, type Crumb } from "./breadcrumbs.ts";
import { formatNumber } from "./format-count.ts";
import { icon, kindIcon } from "./icons.ts";
import type { LinkPaths } from "./link-paths.ts";
import { screenPicture, stripPicture } from "./pictures.ts";
import { type PreviewKind, previewKind } from "./preview-kind.ts";
import { dateOf, expiryNote, type PageFrame, shell } from "./shell.ts";
import { isRendered, plainText } from "./text-content.ts";

type ShownFile = Pick<FileRecord, "name" | "mimeType" | "size" | "modifiedAt">;

/** A file of the same folder. */
export interface Neighbour extends ShownFile {
  readonly path: Key;
}

export interface FilePage {
  /** The owner's title of the link, or the name of the file. */
  readonly title: string;
  readonly file: ShownFile;
  /** Below the shared folder; of a link to a file, its name. */
  readonly path: Key;
  readonly downloadOnly: boolean;
  /** The start of a text; undefined: none is shown. */
  readonly excerpt?: Excerpt | undefined;
  /** The excerpt as it is shown; absent: as it is written. */
  readonly content?: Markup | undefined;
  /** The text as it is written, also if it can be rendered. */
  readonly isSource?: boolean;
  /** The folders above it; undefined: the link is to this file alone. */
  readonly crumbs?: readonly Crumb[] | undefined;
  /** The files before it in its folder, nearest last, and after it, nearest first. */
  readonly before?: readonly Neighbour[];
  readonly after?: readonly Neighbour[];
  readonly position?: { readonly at: number; readonly of: number } | undefined;
  /** The URL of the script that shows the document or lists the zip; undefined: it has not been built, or is not needed. */
  readonly viewer?: string | undefined;
  readonly picture?: string | undefined;
}

/** The page of a file: a preview, if browsers can show one, and the download. */
export function filePage(frame: PageFrame, page: FilePage): string {
  const { paths } = frame;
  const { file, path, position } = page;
  const kind = page.downloadOnly ? undefined : previewKind(file);
  return shell(frame, {
    title: page.title,
    description: describeFile(file),
    picture: page.picture,
    styles: "link-file",
    head: neighbourHead(paths, page),
    width: kind === "image" || kind === "video" ? "dark" : "text",
    content: html`${page.crumbs === undefined ? undefined : breadcrumbs(paths, page.crumbs)}
<header class="lead">
<div>
<h1>${page.title}</h1>
<p class="meta">${page.title === file.name ? undefined : html`<span class="name">${file.name}</span>`}${
      position === undefined
        ? undefined
        : html`<span>${formatNumber(position.at)} of ${formatNumber(position.of)}</span>`
    }<span>${formatBytes(file.size)}</span><span>${dateOf(file.modifiedAt)}</span>${expiryNote(frame)}</p>
</div>
<a class="button" href="${paths.file(path, "download=1")}" download>${icon("download")}Download</a>
</header>
${stage(paths, page)}
${neighbours(paths, page)}`,
  });
}

/** One line about a file, without its name. */
const describeFile = (file: ShownFile): string =>
  `${KIND_NAMES[fileKind(file)]}, ${formatBytes(file.size)}`;

const KIND_NAMES = {
  image: "Picture",
  video: "Video",
  audio: "Audio",
  document: "Document",
  text: "Text",
  archive: "Archive",
  other: "File",
} as const;

function stage(paths: LinkPaths, page: FilePage): Markup {
  const { file, excerpt } = page;
  const kind = page.downloadOnly ? undefined : previewKind(file);
  if (kind === "text" && excerpt === undefined) return placeholder(page);
  return kind === undefined ? placeholder(page) : preview(kind, paths, page);
}

function preview(kind: PreviewKind, paths: LinkPaths, page: FilePage): Markup {
  const { file, path, excerpt, viewer } = page;
  const url = paths.file(path);
  switch (kind) {
    case "image":
      return html`<a class="stage picture" href="${url}" title="Original size">${screenPicture(paths, { ...file, path })}</a>`;
    case "video":
      return html`<div class="stage film"${cannotPlay("This film")}><video src="${url}" controls playsinline preload="metadata" aria-label="${file.name}"></video></div>`;
    case "audio":
      return html`<div class="stage sound"${cannotPlay("This recording")}>${kindIcon("audio")}<audio src="${url}" controls preload="metadata" aria-label="${file.name}"></audio></div>`;
    case "pdf":
      return html`<div class="stage empty"${viewedBy(viewer, url, file, "This document cannot be shown here. It may be damaged, or need a password.")}>${kindIcon("document")}<p>Your browser can show this document.</p><a class="button quiet" href="${url}" target="_blank" rel="noopener">Open</a></div>`;
    case "zip":
      return html`<div class="stage empty"${viewedBy(viewer, url, file, "The files in this archive cannot be listed here. It may be damaged, or have too many files. Download it to open it.")}>${kindIcon("archive")}<p>This is an archive. Download it to open it.</p></div>`;
    case "text":
      return excerpt === undefined ? html`` : textPreview(paths, page, excerpt);
  }
}

/** Names the script that shows the file, and the message that stands for it if that fails. */
const viewedBy = (
  viewer: string | undefined,
  url: string,
  { name, size }: ShownFile,
  failed: string,
): Content =>
  viewer &&
  html` data-viewer="${viewer}" data-url="${url}" data-name="${name}" data-size="${size}" data-failed="${failed}"`;

/** The message that the script shows if the browser cannot play the file. */
const cannotPlay = (name: string): Markup =>
  html` data-failed="${name} cannot be played here. It may be damaged, or of a kind that your browser does not know. Download it to open it."`;

function textPreview(paths: LinkPaths, page: FilePage, excerpt: Excerpt): Markup {
  const { file, path, isSource = false } = page;
  const { text, isWhole, canChoose } = excerpt;
  const tools =
    canChoose || isRendered(file)
      ? html`<div class="tools">${isRendered(file) ? sourceSwitch(paths, path, isSource) : undefined}${canChoose ? encodingForm(excerpt, paths.file(path)) : undefined}</div>`
      : undefined;
  const content =
    text === undefined
      ? html`<pre tabindex="0" role="region" aria-label="Content of ${file.name}">The encoding of this text is not known. Choose one to read it.</pre>`
      : (page.content ?? plainText(file.name, text));
  return html`<figure class="excerpt">${tools}${content}${
    isWhole
      ? undefined
      : html`<figcaption>This is the start of the file. Download it to read the rest.</figcaption>`
  }</figure>`;
}

function sourceSwitch(paths: LinkPaths, path: Key, isSource: boolean): Markup {
  const link = (label: string, query: string, isCurrent: boolean): Markup =>
    html`<a href="${paths.file(path, query)}"${isCurrent ? html` aria-current="true"` : undefined}>${label}</a>`;
  return html`<nav class="switch words" aria-label="View as">${link("Preview", "view=1", !isSource)}${link("Source", "view=1&source=1", isSource)}</nav>`;
}

/** Works without a script. */
const encodingForm = ({ encoding }: Excerpt, url: string): Markup =>
  html`<form action="${url}"><input type="hidden" name="view" value="1"><label for="encoding">Encoding</label><select id="encoding" name="encoding">${
    encoding === undefined ? html`<option value=""></option>` : undefined
  }${ENCODINGS.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === encoding ? html` selected` : undefined}>${label}</option>`,
  )}</select><button class="button quiet">Show</button></form>`;

const placeholder = ({ file, downloadOnly }: FilePage): Markup =>
  html`<div class="stage empty">${kindIcon(fileKind(file))}<p>${
    downloadOnly
      ? "This file can be downloaded, but not viewed here."
      : file.size === 0
        ? "This file is empty."
        : "There is no preview of this file. Download it to open it."
  }</p></div>`;

function neighbourHead(paths: LinkPaths, { before = [], after = [] }: FilePage): Content {
  const [previous, next] = [before.at(-1), after[0]];
  const link = (file: Neighbour | undefined, rel: "prev" | "next"): Content =>
    file && html`<link rel="${rel}" href="${paths.file(file.path, "view=1")}">\n`;
  return [link(previous, "prev"), link(next, "next")];
}

/** The strip of the files around this one, with links to the nearest. */
function neighbours(paths: LinkPaths, page: FilePage): Content {
  const { before = [], after = [], file, path } = page;
  if (before.length === 0 && after.length === 0) return undefined;
  const all = [...before, { ...file, path }, ...after];
  return html`<nav class="neighbours" aria-label="Files in this folder">${step(paths, before.at(-1), "prev")}<ol class="strip">${all.map(
    (each) => html`<li>${stripLink(paths, each, each.path === path)}</li>`,
  )}</ol>${step(paths, after[0], "next")}</nav>`;
}

const step = (paths: LinkPaths, file: Neighbour | undefined, rel: "prev" | "next"): Markup =>
  file === undefined
    ? html`<span class="step"></span>`
    : html`<a class="step" data-file rel="${rel}" href="${paths.file(file.path, "view=1")}" aria-label="${rel === "prev" ? "Previous" : "Next"}">${icon(rel === "prev" ? "previous" : "next")}</a>`;

const stripLink = (paths: LinkPaths, file: Neighbour, isShown: boolean): Markup =>
  html`<a data-file href="${paths.file(file.path, "view=1")}" title="${file.name}"${
    isShown ? html` aria-current="true"` : undefined
  }>${
    previewKind(file) === "image"
      ? stripPicture(paths, file)
      : html`${kindIcon(fileKind(file))}<span class="hidden-name">${file.name}</span>`
  }</a>`;
