import type { LinkObject, SettingsObject } from "../../../sdk/src/holdall.ts";
import { holdall, queryClient } from "../app/connection/client.ts";
import { settingsQuery } from "../app/session/settings-query.ts";
import type { ExpiryLimits } from "../text/expiry.ts";
import { newDraft, newOptions } from "./link-draft.ts";
import { linkUrl } from "./link-url.ts";
import { linksKey } from "./links-key.ts";
import { type ShareSubject, subjectIds } from "./share-subject.ts";

export interface FoundLink {
  readonly link: LinkObject;
  readonly url: string;
  /** It was created just now. */
  readonly isNew: boolean;
}

/** The newest link of this kind that works, if there is one. */
export async function findLink(
  subject: ShareSubject,
  kind: LinkObject["kind"],
): Promise<FoundLink | undefined> {
  const { links } = await holdall.links.list({ ...subjectIds(subject), limit: 50 });
  for (const link of links) {
    const url = linkUrl(link);
    if (link.kind === kind && link.state === "active" && url !== undefined) {
      return { link, url, isNew: false };
    }
  }
  return undefined;
}

/** Creates a link that ends after the default lifetime. */
export async function createLink(
  subject: ShareSubject,
  kind: LinkObject["kind"],
): Promise<FoundLink> {
  const limits = limitsOf(await queryClient.fetchQuery(settingsQuery));
  const now = new Date();
  const options = newOptions(newDraft(now, limits.default), kind, now);
  const link = await holdall.links.create({ ...subjectIds(subject), kind, ...options });
  await refreshLinks();
  const url = linkUrl(link);
  if (url === undefined) throw new Error("The server does not know the URL of the link.");
  return { link, url, isNew: true };
}

/** The newest link that works, or a new one. */
export const findOrCreateLink = async (subject: ShareSubject): Promise<FoundLink> =>
  (await findLink(subject, "read")) ?? createLink(subject, "read");

export const refreshLinks = () => queryClient.invalidateQueries({ queryKey: linksKey });

/** The lifetimes that the settings propose and allow. Members do not know them: the server applies the longest. */
export function limitsOf(settings: SettingsObject | null): ExpiryLimits {
  const proposed = settings?.defaultLinkDays.value ?? 0;
  const max = settings?.maxLinkDays.value ?? 0;
  return { default: max === 0 ? proposed : proposed === 0 ? max : Math.min(proposed, max), max };
}
