import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

const uppy = new Uppy({ autoProceed: true }).use(Tus, {
  // Not used: each file has an upload URL of its own.
  endpoint: location.href,
  chunkSize: 8 * 1024 * 1024,
});

// The app's own server asks Holdall for the URLs, so no key is in the page.
uppy.addPreProcessor(async (ids) => {
  for (const id of ids) {
    const { name, size } = uppy.getFile(id);
    const query = new URLSearchParams({ name, size: String(size) });
    const response = await fetch(`/uploads?${query}`, { method: "POST" });
    const answer = await response.json();
    if (response.ok) uppy.setFileState(id, { tus: { uploadUrl: answer.url } });
    else uppy.emit("upload-error", uppy.getFile(id), new Error(answer.message));
  }
});

const rows = new Map();
const show = (file, text) => {
  const row =
    rows.get(file.id) ?? document.querySelector("ul").appendChild(document.createElement("li"));
  rows.set(file.id, row);
  row.textContent = `${file.name}: ${text}`;
};
uppy.on("upload-progress", (file, { bytesUploaded }) => {
  show(file, `${Math.round((bytesUploaded / file.size) * 100)} %`);
});
uppy.on("upload-success", (file) => show(file, "stored"));
uppy.on("upload-error", (file, error) => show(file, error.message));

// Or `uppy.use(Dashboard)` of @uppy/dashboard, which brings a user interface.
document.querySelector("input").addEventListener("change", ({ target }) => {
  for (const data of target.files) uppy.addFile({ name: data.name, type: data.type, data });
});
