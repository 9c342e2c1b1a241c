/** Has the browser save what is at the URL. The server says that it is to be saved, and as what. */
export function saveUrl(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
