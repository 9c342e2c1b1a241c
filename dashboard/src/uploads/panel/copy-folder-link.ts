import { holdall, queryClient } from "../../app/client.ts";
import { showErrorToast, showToast } from "../../components/toast-store.ts";
import { linkUrl } from "../../sharing/link-url.ts";
import { linksKey } from "../../sharing/links-key.ts";
import { copyText } from "../../text/copy-text.ts";

const WEEK_SECONDS = 7 * 86_400;

/**
 * Copies a new link that shows the folder to anyone, for a week, as the Share dialog suggests. A folder has
 * no URL that would do without. Undo revokes it.
 */
export async function copyFolderLink(key: string): Promise<void> {
  try {
    const creating = createLink(key);
    await copyText(creating.then((link) => linkUrl(link) ?? ""));
    const { id } = await creating;
    showToast("Link copied. Anyone with it can see the folder for 7 days.", {
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
  return holdall.links.create({ folderId: folder.id, expiresIn: WEEK_SECONDS });
}

const refresh = () => queryClient.invalidateQueries({ queryKey: linksKey });
