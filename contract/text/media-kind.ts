export const MEDIA_KINDS = [
  "image",
  "video",
  "audio",
  "document",
  "text",
  "archive",
  "other",
] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

const DOCUMENTS =
  /^application\/(?:pdf|rtf|postscript|epub\+zip|msword|vnd\.(?:ms-(?:excel|powerpoint|word|works|xpsdocument)|openxmlformats-|oasis\.opendocument\.|apple\.(?:pages|numbers|keynote)|amazon\.ebook))/;

const ARCHIVES =
  /^application\/(?:zip|gzip|zstd|vnd\.rar|java-archive|x-(?:7z|ace|apple-diskimage|arj|bzip|bzip2|compress|compressed|cpio|gtar|gzip|iso9660-image|lz4|lzh|lzip|lzma|rar|rar-compressed|tar|xz|zip|zstd)|vnd\.(?:debian\.binary-package|android\.package-archive))/;

const TEXTS =
  /^application\/(?:json|xml|javascript|ecmascript|typescript|yaml|toml|sql|graphql|x-sh|x-httpd-php|x-ndjson|x-yaml|[\w.-]+\+(?:json|xml|yaml))$/;

/** The kind of file shown to users for a media type. */
export function mediaKind(mimeType: string): MediaKind {
  // TypeScript shares the extension .ts with MPEG transport streams, which browsers do not play.
  if (mimeType === "video/mp2t") return "text";
  const [type] = mimeType.split("/");
  if (type === "image" || type === "video" || type === "audio" || type === "text") return type;
  if (DOCUMENTS.test(mimeType)) return "document";
  if (ARCHIVES.test(mimeType)) return "archive";
  return TEXTS.test(mimeType) ? "text" : "other";
}
