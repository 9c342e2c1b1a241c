import type { Page } from "playwright-core";

/** Holds back how the page reads dropped folders after this many reads, of up to 100 entries each. */
export const holdFolderReads = (page: Page, passed: number) =>
  page.evaluateHandle((limit) => {
    const held: (() => void)[] = [];
    let reads = 0;
    let isReleased = false;
    const holdReadsOf = (reader: FileSystemDirectoryReader) => {
      const { readEntries } = reader;
      reader.readEntries = (...callbacks) => {
        const read = () => readEntries.apply(reader, callbacks);
        reads += 1;
        if (isReleased || reads <= limit) read();
        else held.push(read);
      };
      return reader;
    };
    // The browser has no global name for the classes of folders and their readers.
    const item = DataTransferItem.prototype;
    const { webkitGetAsEntry } = item;
    let isFirst = true;
    item.webkitGetAsEntry = function () {
      const entry = webkitGetAsEntry.call(this);
      if (!isFirst || entry?.isDirectory !== true) return entry;
      isFirst = false;
      const folder = Object.getPrototypeOf(entry);
      const { createReader } = folder;
      folder.createReader = function () {
        return holdReadsOf(createReader.call(this));
      };
      return entry;
    };
    return {
      release() {
        isReleased = true;
        for (const read of held.splice(0)) read();
      },
    };
  }, passed);

/** Every title of the upload panel from now on, with what it announces to screen readers. */
export const recordTitles = (page: Page) =>
  page.evaluateHandle(() => {
    const titles: string[] = [];
    new MutationObserver(() => {
      const panel = document.querySelector("[aria-label=Uploads]");
      for (const part of panel?.querySelectorAll("h2, [role=status]") ?? []) {
        const title = part.textContent;
        if (title !== titles.at(-1)) titles.push(title);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    return titles;
  });
