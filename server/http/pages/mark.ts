import { html, type Markup } from "./html.ts";

/** A bag with two handles. Takes the colours of the text around it. */
export const mark: Markup = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path d="M10.5 13V9.8a5.5 5.5 0 0 1 11 0V13" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/><rect x="3" y="12.5" width="26" height="15.5" rx="4.5" fill="currentColor"/><path d="M10.5 13v15M21.5 13v15" stroke="var(--seam, #fff)" stroke-width="1.8" fill="none"/><rect x="13.6" y="18.2" width="4.8" height="3.4" rx="1.2" fill="var(--seam, #fff)"/></svg>`;

/** The mark as a file of its own, for browser tabs. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>g{color:#0b6b64}@media(prefers-color-scheme:dark){g{color:#5ccabf;--seam:#14171a}}</style><g>${mark.markup}</g></svg>\n`;
