/** The media type in `Content-Type` in lower case, without its parameters; "": there is none. */
export const mediaTypeOf = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
