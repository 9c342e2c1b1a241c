import { pickedSources } from "./file-sources.ts";
import { startUpload } from "./start-upload.ts";

/** Opens a file picker and uploads the files to the folder with this key. */
export const pickFiles = (folder: string): void => pick(folder, "files");

/** The same for a whole folder. Browsers leave out empty subfolders. */
export const pickFolder = (folder: string): void => pick(folder, "folder");

function pick(folder: string, what: "files" | "folder"): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.webkitdirectory = what === "folder";
  input.addEventListener("change", () => {
    void startUpload([pickedSources(input.files ?? [], folder)]);
  });
  input.click();
}
