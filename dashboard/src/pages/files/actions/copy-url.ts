import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { showErrorToast, showToast } from "../../../components/toast-store.ts";
import { copyText } from "../../../text/copy-text.ts";
import { formatDuration } from "../../../text/format-duration.ts";

/** The label of the action: the URL of a private file opens nothing for others. */
export const copyLabel = ({ visibility }: FileObject): string =>
  visibility === "public" ? "Copy URL" : "Copy link that expires";

/** Copies a URL that opens the file for anyone: of a private file, a signed one. Says how long it works. */
export async function copyUrl(file: FileObject): Promise<void> {
  try {
    if (file.visibility === "public") {
      await copyText(holdall.url(file));
      showToast("URL copied.");
      return;
    }
    const signing = holdall.files.sign(file);
    await copyText(signing.then(({ url }) => url));
    const seconds = ((await signing).expiresAt.getTime() - Date.now()) / 1_000;
    showToast(`Link copied. Anyone with it can open the file for ${lifetime(seconds)}.`);
  } catch (error) {
    showErrorToast(error);
  }
}

/** The request took a moment, so whole minutes are meant. */
const lifetime = (seconds: number): string =>
  formatDuration(seconds < 90 ? Math.round(seconds) : Math.round(seconds / 60) * 60);
