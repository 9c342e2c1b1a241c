export type Kind = "image" | "video" | "audio" | "document" | "archive" | "code" | "other";

const DOCUMENT =
  /pdf|msword|officedocument|opendocument|rtf|epub|presentation|spreadsheet|ms-excel/;
const ARCHIVE = /zip|gzip|x-tar|x-7z|rar|x-bzip|x-xz|zstd|java-archive|x-iso/;
const CODE = /json|javascript|typescript|xml|yaml|toml|x-sh|sql|html|css|x-python|graphql|wasm/;

/** What kind of file a media type stands for, for icons and previews. */
export function kindOf(mimeType: string): Kind {
  const [main = "", sub = ""] = mimeType.toLowerCase().split("/");
  if (main === "image" || main === "video" || main === "audio") return main;
  if (DOCUMENT.test(sub)) return "document";
  if (ARCHIVE.test(sub)) return "archive";
  if (CODE.test(sub)) return "code";
  return main === "text" ? "document" : "other";
}

/** The end of a name, as people call the type of a file: "PDF", "TAR.GZ"; empty where there is none. */
export function extensionOf(name: string): string {
  const end = /\.(tar\.[a-z0-9]{1,4}|[a-z0-9]{1,8})$/i.exec(name)?.[1] ?? "";
  return name.length > end.length + 1 ? end.toUpperCase() : "";
}
