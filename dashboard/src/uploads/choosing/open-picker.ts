/** Opens the browser's file picker. Stays pending if the user cancels it. */
export function openPicker(what: "files" | "folder"): Promise<File[]> {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.webkitdirectory = what === "folder";
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve([...(input.files ?? [])]));
    input.click();
  });
}
