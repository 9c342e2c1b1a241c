import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/connection/client.ts";
import { showErrorToast, showToast } from "../components/toast-store.ts";
import { copyText } from "../text/copy-text.ts";
import { formatFullTimestamp } from "../text/timestamp.ts";
import { type FoundLink, findOrCreateLink, refreshLinks } from "./find-link.ts";
import type { ShareSubject } from "./share-subject.ts";

/** A new link is often made by mistake: for so long, a message offers to revoke it. */
const UNDO_MS = 10_000;

/**
 * Copies the link to a file or folder, which anyone can open until it is revoked: the newest one that works, or a new one.
 * Shows it if the browser refuses to copy.
 */
export async function copyLink(subject: Promise<ShareSubject>): Promise<void> {
  try {
    const finding = subject.then(findOrCreateLink);
    const isCopied = await copyText(finding.then(({ url }) => url)).then(
      () => true,
      () => false,
    );
    const found = await finding;
    const text = isCopied
      ? `Link copied. ${sayWhoCanOpen(found.link)}.`
      : `The browser blocked copying the link. ${sayWhoCanOpen(found.link)}: ${found.url}`;
    if (found.isNew) offerUndo(found, text);
    else showToast(text);
  } catch (error) {
    showErrorToast(error);
  }
}

/** Says something about a new link, with a button that revokes it. */
export const offerUndo = ({ link }: FoundLink, text: string): void =>
  showToast(text, {
    label: "Undo",
    undoes: true,
    ms: UNDO_MS,
    run: () =>
      void holdall.links
        .revoke(link.id)
        .then(() => {
          showToast("Link revoked.");
          return refreshLinks();
        })
        .catch(showErrorToast),
  });

function sayWhoCanOpen({ hasPassword, expiresAt }: LinkObject): string {
  const who = hasPassword ? "Anyone with it and its password" : "Anyone with it";
  const until = expiresAt === null ? "" : ` until ${formatFullTimestamp(expiresAt)}`;
  return `${who} can open it${until}`;
}
