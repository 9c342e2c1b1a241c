import type { Millis } from "../../../domain/records.ts";
import { html, type Markup } from "../../pages/html.ts";

const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Until when the link works, for the foot of a page. The page's script shows the visitor's own time. */
export function expiry(expiresAt: Millis | null): Markup | undefined {
  if (expiresAt === null) return undefined;
  const date = new Date(expiresAt);
  return html`<span>Available until <time datetime="${date.toISOString()}">${days.format(date)}</time></span>`;
}
