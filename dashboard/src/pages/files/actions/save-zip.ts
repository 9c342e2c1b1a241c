import type { ZipSelection } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { saveUrl } from "../../../app/save-url.ts";
import { showToast } from "../../../components/toast-store.ts";
import { withSpace } from "../../../rights/rights.ts";

/** Servers and proxies accept URLs of 8 KB. */
const MAX_URL_LENGTH = 6000;

/**
 * Starts the download of a zip, which the browser streams to disk. Rejects with the server's error
 * if there is no zip to download: a link or a form could not show it.
 */
export async function saveZip(selection: ZipSelection): Promise<void> {
  const check = new AbortController();
  await holdall.files.downloadZip(selection, { signal: check.signal });
  check.abort();
  const url = holdall.files.zipUrl(selection);
  if (url.length <= MAX_URL_LENGTH) return saveUrl(url);
  // Browsers let a page open a tab only within seconds of a click.
  if (navigator.userActivation?.isActive ?? true) return postToNewTab(selection);
  showToast("The zip file is ready.", {
    label: "Save",
    undoes: false,
    run: () => postToNewTab(selection),
  });
}

/**
 * Browsers close the new tab when the download starts. In this tab, the form would count as leaving
 * the page, which ends uploads.
 */
function postToNewTab(selection: ZipSelection): void {
  const { url, fields } = holdall.files.zipForm(selection);
  const form = document.createElement("form");
  form.method = "post";
  form.action = withSpace(url);
  form.target = "_blank";
  form.hidden = true;
  for (const [name, value] of fields) {
    const field = document.createElement("input");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
