import { html, type Markup } from "./html.ts";

/** The logo, a bag with two handles, in the colour of the surrounding text. */
export const mark: Markup = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path d="M10.5 13V9.8a5.5 5.5 0 0 1 11 0V13" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/><rect x="3" y="12" width="26" height="16" rx="5" fill="currentColor"/><path d="M3 18.5h9.6M19.4 18.5H29" stroke="var(--seam, #fff)" stroke-width="1.8" fill="none"/><rect x="12.9" y="16" width="6.2" height="5" rx="1.6" stroke="var(--seam, #fff)" stroke-width="1.8" fill="none"/></svg>`;

/** The logo as a separate file, for browser tabs. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>g{color:#0a665e}@media(prefers-color-scheme:dark){g{color:#56cdbd;--seam:#0f1113}}</style><g>${mark.markup}</g></svg>\n`;
