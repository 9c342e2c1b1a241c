import type { MediaKind } from "../../../../contract/text/media-kind.ts";
import { html, type Markup, trusted } from "../../pages/html.ts";

/** Drawings of 24 × 24 with strokes in the colour of the text. */
const DRAWINGS = {
  folder:
    '<path d="M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z"/>',
  image:
    '<rect width="18" height="18" x="3" y="3" rx="2"/><circle cx="9" cy="9" r="2"/><path d="m21 15-3.1-3.1a2 2 0 0 0-2.8 0L6 21"/>',
  video: '<rect width="18" height="18" x="3" y="3" rx="2"/><path d="m10 8.8 5.4 3.2-5.4 3.2z"/>',
  audio: '<path d="M9 18V5l12-2v13"/><circle cx="6" cy="18" r="3"/><circle cx="18" cy="16" r="3"/>',
  document:
    '<path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8l6 6v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 9H8M16 13H8M16 17H8"/>',
  text: '<path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8l6 6v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 12.5 8 15l2 2.5M14 12.5l2 2.5-2 2.5"/>',
  archive:
    '<rect width="20" height="5" x="2" y="3" rx="1"/><path d="M4 8v11a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8M10 12h4"/>',
  other:
    '<path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8l6 6v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5"/>',
  download: '<path d="M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5"/>',
  upload: '<path d="M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4"/>',
  lock: '<rect width="18" height="11" x="3" y="11" rx="2"/><path d="M7 11V7a5 5 0 0 1 10 0v4"/>',
  grid: '<rect width="7" height="7" x="3" y="3" rx="1"/><rect width="7" height="7" x="14" y="3" rx="1"/><rect width="7" height="7" x="14" y="14" rx="1"/><rect width="7" height="7" x="3" y="14" rx="1"/>',
  list: '<path d="M3 5h.01M3 12h.01M3 19h.01M8 5h13M8 12h13M8 19h13"/>',
  previous: '<path d="m15 18-6-6 6-6"/>',
  next: '<path d="m9 18 6-6-6-6"/>',
  check: '<path d="M20 6 9 17l-5-5"/>',
  broken:
    '<path d="m18.8 12.3 1.8-1.8a5 5 0 0 0-7.1-7l-1.8 1.7M5.2 11.8l-1.7 1.7a5 5 0 0 0 7 7l1.8-1.7M8 2v3M2 8h3M16 19v3M19 16h3"/>',
  clock: '<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>',
} as const;

export type IconName = keyof typeof DRAWINGS;

/**
 * The drawings that a page refers to, each once and hidden, which keeps long lists small. `all`: with the
 * others too, because the page's script adds more.
 */
export function iconSprite({ markup }: Markup, all: boolean): Markup {
  const used = Object.entries(DRAWINGS).filter(([name]) => all || markup.includes(`"#i-${name}"`));
  const symbols = used.map(
    ([name, drawing]) => `<symbol id="i-${name}" viewBox="0 0 24 24">${drawing}</symbol>`,
  );
  return trusted(
    `<svg class="sprite" aria-hidden="true" focusable="false">${symbols.join("")}</svg>`,
  );
}

/** A decorative icon; the page needs `iconSprite`. */
export const icon = (name: IconName): Markup =>
  html`<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`;

/** The icon of a folder or of a kind of files, in its colour. */
export const kindIcon = (kind: MediaKind | "folder"): Markup =>
  html`<svg class="icon ${kind}" aria-hidden="true"><use href="#i-${kind}"/></svg>`;
