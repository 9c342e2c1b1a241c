import type { FileRecord, Key } from "../../../domain/records.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { LinkPaths } from "./link-paths.ts";

export interface Picture extends Pick<FileRecord, "mimeType" | "modifiedAt"> {
  readonly name: string;
  readonly path: Key;
}

/** Images that the server makes smaller sizes of. A GIF would lose its animation. */
const SCALABLE = /^image\/(?:jpeg|png|webp)$/;

/**
 * A small picture for galleries. The script of the page takes the sharper one of `data-dense` once the visitor moves:
 * the first view of a gallery has dozens.
 */
export function galleryPicture(paths: LinkPaths, picture: Picture): Markup {
  const { tile, denseTile } = sourcesOf(paths, picture);
  return smallPicture(
    picture,
    tile,
    tile === denseTile ? undefined : html` data-dense="${denseTile}"`,
  );
}

/** A picture for strips, which are so low that it is sharp on dense screens, too. */
export const stripPicture = (paths: LinkPaths, picture: Picture): Markup =>
  smallPicture(picture, sourcesOf(paths, picture).tile);

const smallPicture = (picture: Picture, source: string, sharper?: Markup): Markup =>
  html`<img src="${source}"${sharper} alt="${picture.name}"${typeOf(picture, JPEG)} loading="lazy" decoding="async">`;

/**
 * A picture in the size of the screen. Without widths in `srcset`, which would enlarge small pictures, phones choose by a
 * media query.
 */
export function screenPicture(paths: LinkPaths, picture: Picture): Markup {
  const { medium, large } = sourcesOf(paths, picture);
  const image = html`<img src="${large}" alt="${picture.name}"${typeOf(picture, CHECKED)}>`;
  return medium === large
    ? image
    : html`<picture><source media="(max-width: 30rem) and (max-resolution: 2dppx)" srcset="${medium}">${image}</picture>`;
}

/** Types of which the script of the page finds out whether the end is missing. */
const CHECKED = /^image\/(?:jpeg|png)$/;
/** For many pictures: a PNG takes longer reads. */
const JPEG = /^image\/jpeg$/;

const typeOf = ({ mimeType }: Picture, checked: RegExp): Markup | undefined =>
  checked.test(mimeType) ? html` data-type="${mimeType}"` : undefined;

function sourcesOf(paths: LinkPaths, { path, mimeType, modifiedAt }: Picture) {
  // Another URL for other content.
  const version = `v=${modifiedAt.toString(36)}`;
  const at = (size: string): string =>
    paths.file(path, SCALABLE.test(mimeType) ? `${version}&size=${size}` : version);
  return {
    tile: at("tile"),
    denseTile: at("dense-tile"),
    medium: at("medium"),
    large: at("large"),
  };
}
