/** Generic names that browsers give to every pasted image. */
const NAMELESS = /^(image|blob|)\.?(png|jpe?g|gif|webp|bmp|tiff?)?$/i;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "image/bmp": ".bmp",
  "image/tiff": ".tiff",
  "image/svg+xml": ".svg",
};

const two = (number: number): string => String(number).padStart(2, "0");

/** The name of a pasted file: its own, or a timestamped one instead of a generic name. */
export function pastedName(file: { readonly name: string; readonly type: string }, now: Date) {
  if (!NAMELESS.test(file.name)) return file.name;
  const what = file.type.startsWith("image/") ? "Pasted image" : "Pasted file";
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}`;
  return `${what} ${day} at ${time}${EXTENSIONS[file.type] ?? ""}`;
}
