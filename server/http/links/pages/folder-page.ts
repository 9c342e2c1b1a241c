import { fileKind } from "../../../../contract/text/file-kind.ts";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { FileRecord, Key } from "../../../domain/records.ts";
import { type Content, html, type Markup } from "../../pages/html.ts";
import { breadcrumbs, type Crumb } from "./breadcrumbs.ts";
import { formatCount } from "./format-count.ts";
import { icon, kindIcon } from "./icons.ts";
import type { LinkPaths } from "./link-paths.ts";
import { galleryPicture } from "./pictures.ts";
import { previewKind } from "./preview-kind.ts";
import { expiryNote, type PageFrame, shell } from "./shell.ts";

export type FolderLayout = "list" | "grid";

export interface ShownEntry {
  readonly name: string;
  /** Below the shared folder. */
  readonly path: Key;
}

export interface ShownFile
  extends ShownEntry,
    Pick<FileRecord, "mimeType" | "size" | "modifiedAt"> {}

export interface FolderTotals {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

export interface FolderPage {
  /** The owner's title of the link, or the name of the folder. */
  readonly title: string;
  readonly path: Key;
  /** The folders above it. */
  readonly crumbs: readonly Crumb[];
  readonly layout: FolderLayout;
  readonly folders: readonly ShownEntry[];
  readonly files: readonly ShownFile[];
  /** The query of the page with the next files or folders; undefined: these are the last. */
  readonly more?: string | undefined;
  /** At any depth; undefined: not counted. */
  readonly totals?: FolderTotals | undefined;
  /** The totals of the subfolders by path; subfolders that were not counted are missing. */
  readonly folderTotals?: ReadonlyMap<Key, FolderTotals> | undefined;
  readonly downloadOnly: boolean;
  readonly picture?: string | undefined;
}

/** The page of a folder: its subfolders and files as a list, or its pictures as a gallery. */
export function folderPage(frame: PageFrame, page: FolderPage): string {
  const { paths } = frame;
  const isEmpty = page.folders.length === 0 && page.files.length === 0;
  return shell(frame, {
    title: page.title,
    description: page.totals === undefined ? "Shared folder" : describeTotals(page.totals),
    picture: page.picture,
    styles: "link-folder",
    width: page.layout === "grid" ? "wide" : "text",
    isContinued: page.more !== undefined,
    content: html`${page.crumbs.length === 0 ? undefined : breadcrumbs(paths, page.crumbs)}
<header class="lead">
<div>
<h1>${page.title}</h1>
<p class="meta">${page.totals === undefined || isEmpty ? undefined : html`<span>${describeTotals(page.totals)}</span>`}${expiryNote(frame)}</p>
</div>
${isEmpty ? undefined : actions(paths, page)}
</header>
${isEmpty ? emptyFolder : html`<form id="selection" method="post" action="${paths.folder(page.path)}"></form>${content(paths, page)}`}
${page.more === undefined ? undefined : html`<p class="more"><a class="button quiet" rel="next" href="${paths.folder(page.path, page.more)}">Show more</a></p>`}`,
  });
}

/** One line about a folder, without its name. */
function describeTotals({ files, folders, bytes }: FolderTotals): string {
  const counts = [
    ...(folders > 0 ? [formatCount(folders, "folder")] : []),
    ...(files > 0 ? [formatCount(files, "file")] : []),
  ];
  return counts.length === 0 ? "Empty folder" : `${counts.join(", ")} · ${formatBytes(bytes)}`;
}

const emptyFolder: Markup = html`<div class="notice inline">${kindIcon("folder")}<p>This folder is empty.</p></div>`;

function actions(paths: LinkPaths, page: FolderPage): Markup {
  const view = (layout: FolderLayout, label: string): Markup =>
    html`<a href="${paths.folder(page.path, `view=${layout}`)}" aria-label="${label}"${
      page.layout === layout ? html` aria-current="true"` : undefined
    }>${icon(layout)}</a>`;
  return html`<div class="actions">
${page.downloadOnly || page.files.length === 0 ? undefined : html`<nav class="switch" aria-label="Layout">${view("list", "List")}${view("grid", "Gallery")}</nav>`}
${page.files.length === 0 ? undefined : html`<button class="button chosen" form="selection">${icon("download")}<span>Download selected</span></button>`}
<a class="button all" href="${paths.folder(page.path, "zip=1")}" download>${icon("download")}Download all</a>
</div>`;
}

function content(paths: LinkPaths, page: FolderPage): Content {
  const { folders, files, layout } = page;
  const folderRows = folders.map(
    ({ name, path }) =>
      html`<li><a class="entry" href="${paths.folder(path)}">${kindIcon("folder")}<span class="name">${name}</span>${folderCount(page.folderTotals?.get(path))}</a></li>\n`,
  );
  if (layout === "list") {
    const rows = files.map((file) => listRow(paths, file, page.downloadOnly));
    return html`<ul class="list" data-more>${folderRows}${rows}</ul>`;
  }
  const list = folders.length === 0 ? undefined : html`<ul class="list tiles">${folderRows}</ul>`;
  return html`${list}<ul class="gallery" data-more>${files.map((file) => tile(paths, file))}</ul>`;
}

const folderCount = (totals: FolderTotals | undefined): Content =>
  totals === undefined
    ? undefined
    : html`<span class="size">${
        totals.files === 0 && totals.folders > 0
          ? formatCount(totals.folders, "folder")
          : formatCount(totals.files, "file")
      }</span>`;

/** Selects a file for a zip. */
const checkbox = (name: string): Markup =>
  html`<input type="checkbox" name="file" form="selection" value="${name}" aria-label="Select ${name}">`;

function listRow(paths: LinkPaths, file: ShownFile, downloadOnly: boolean): Markup {
  const { name, path, size } = file;
  const download = paths.file(path, "download=1");
  const body = html`${kindIcon(fileKind(file))}<span class="name">${name}</span><span class="size">${formatBytes(size)}</span>`;
  return downloadOnly
    ? html`<li>${checkbox(name)}<a class="entry" href="${download}" download>${body}${icon("download")}</a></li>\n`
    : html`<li>${checkbox(name)}<a class="entry" data-file href="${paths.file(path, "view=1")}">${body}</a><a class="get" href="${download}" download aria-label="Download ${name}">${icon("download")}</a></li>\n`;
}

function tile(paths: LinkPaths, file: ShownFile): Markup {
  const { name, path } = file;
  const url = paths.file(path, "view=1");
  return previewKind(file) === "image"
    ? html`<li>${checkbox(name)}<a data-file href="${url}" title="${name}">${galleryPicture(paths, file)}</a></li>\n`
    : html`<li>${checkbox(name)}<a class="named" data-file href="${url}" title="${name}">${kindIcon(fileKind(file))}<span class="name">${name}</span></a></li>\n`;
}
