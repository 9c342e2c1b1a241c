import { holdall, queryClient } from "../../app/client.ts";
import { showErrorToast, showToast } from "../../components/toast-store.ts";
import { linkUrl } from "../../sharing/link-url.ts";
import { linksKey } from "../../sharing/links-key.ts";
import { copyText } from "../../text/copy-text.ts";

const WEEK_SECONDS = 7 * 86_400;

/**
 * Copies a new link that shows the folder to anyone, for a week, as the Share dialog suggests. A folder has
 * no URL that would do without. Shows it if the browser refuses to copy. Undo revokes it.
 */
export async function copyFolderLink(key: string): Promise<void> {
  try {
    const creating = createLink(key);
    const isCopied = await copyText(creating.then(({ url }) => url)).then(
      () => true,
      () => false,
    );
    const { id, url } = await creating;
    const text = isCopied
      ? "Link copied. Anyone with it can see the folder for 7 days."
      : `The browser blocked copying the link. Anyone with it can see the folder for 7 days: ${url}`;
    showToast(text, {
      label: "Undo",
      undoes: true,
      run: () => void holdall.links.revoke(id).then(() => refresh(), showErrorToast),
    });
    await refresh();
  } catch (error) {
    showErrorToast(error);
  }
}

async function createLink(key: string) {
  const { folder } = await holdall.folders.browse({ key }, { limit: 0 });
  const link = await holdall.links.create({ folderId: folder.id, expiresIn: WEEK_SECONDS });
  return { id: link.id, url: linkUrl(link) ?? "" };
}

const refresh = () => queryClient.invalidateQueries({ queryKey: linksKey });
