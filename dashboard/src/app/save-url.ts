import { withSpace } from "../rights/rights.ts";

/** Starts a download. The server's `Content-Disposition` gives the file name. */
export function saveUrl(url: string): void {
  const link = document.createElement("a");
  link.href = withSpace(url);
  link.download = "";
  link.click();
}
