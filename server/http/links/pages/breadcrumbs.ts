import type { Key } from "../../../domain/records.ts";
import { html, type Markup } from "../../pages/html.ts";
import { icon } from "./icons.ts";
import type { LinkPaths } from "./link-paths.ts";

/** A folder above the shown one, relative to the shared folder, whose path is "". */
export interface Crumb {
  readonly name: string;
  readonly path: Key;
}

/** The folders above a page, from the shared one down. */
export const breadcrumbs = (paths: LinkPaths, crumbs: readonly Crumb[]): Markup =>
  html`<nav class="crumbs" aria-label="Folders"><ol>${crumbs.map(
    ({ name, path }, index) =>
      html`<li>${index === 0 ? undefined : icon("next")}<a href="${paths.folder(path)}">${name}</a></li>`,
  )}</ol></nav>`;

/** The crumbs of the folders in `path`, with `top` for the shared folder. Leaves `path` itself out. */
export function crumbsAbove(top: string, path: Key): Crumb[] {
  const names = path.split("/");
  return names.map((_, index) => ({
    name: names[index - 1] ?? top,
    path: names.slice(0, index).join("/") as Key,
  }));
}
