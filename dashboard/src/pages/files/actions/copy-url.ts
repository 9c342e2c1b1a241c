import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { showErrorToast, showToast } from "../../../components/toast-store.ts";
import type { ShareSubject } from "../../../sharing/share-subject.ts";
import { copyText } from "../../../text/copy-text.ts";

/** The label of the action: the URL of a private file opens nothing for others. */
export const copyLabel = ({ visibility }: FileObject): string =>
  visibility === "public" ? "Copy URL" : "Copy link";

/** Copies what opens the file for anyone: its URL, or of a private file a link, which can be revoked. */
export async function copyUrl(file: FileObject): Promise<void> {
  if (file.visibility === "private") return copyLinkTo(Promise.resolve({ kind: "file", file }));
  try {
    await copyText(holdall.url(file));
    showToast("URL copied.");
  } catch (error) {
    showErrorToast(error);
  }
}

/** Copies a link. Its script is loaded when it is first needed. */
export const copyLinkTo = (subject: Promise<ShareSubject>): Promise<void> =>
  import("../../../sharing/copy-link.ts").then(({ copyLink }) => copyLink(subject), showErrorToast);
