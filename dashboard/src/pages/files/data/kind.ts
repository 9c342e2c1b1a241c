export type Kind = "image" | "video" | "audio" | "document" | "archive" | "code" | "other";

const DOCUMENT =
  /pdf|msword|officedocument|opendocument|rtf|epub|presentation|spreadsheet|ms-excel/;
const ARCHIVE = /zip|gzip|x-tar|x-7z|rar|x-bzip|x-xz|zstd|java-archive|x-iso/;
const CODE = /json|javascript|typescript|xml|yaml|toml|x-sh|sql|html|css|x-python|graphql|wasm/;

/** The kind of a media type, for icons. */
export function kindOf(mimeType: string): Kind {
  const [main = "", sub = ""] = mimeType.toLowerCase().split("/");
  if (main === "image" || main === "video" || main === "audio") return main;
  if (DOCUMENT.test(sub)) return "document";
  if (ARCHIVE.test(sub)) return "archive";
  if (CODE.test(sub)) return "code";
  return main === "text" ? "document" : "other";
}

/** The extension of a name in upper case, such as "PDF" or "TAR.GZ"; empty without one. */
export function extensionOf(name: string): string {
  const end = /\.(tar\.[a-z0-9]{1,4}|[a-z0-9]{1,8})$/i.exec(name)?.[1] ?? "";
  return name.length > end.length + 1 ? end.toUpperCase() : "";
}
