/** One part of a multipart body, sent exactly as given. */
export interface Part {
  readonly name: string;
  /** Put between quotes without escaping; absent for a plain field. */
  readonly filename?: string | Uint8Array;
  /** The whole value of `filename*`, such as `UTF-8''a%20b`. */
  readonly filenameStar?: string;
  readonly type?: string;
  readonly content: string | Uint8Array;
}

export interface MultipartBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const boundary = "----holdall-test-boundary-5c1d";

export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** The bytes of one part up to and including the empty line before its content. */
export function partHead(part: Part): Buffer {
  const pieces: (string | Uint8Array)[] = [
    `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"`,
  ];
  if (part.filename !== undefined) pieces.push('; filename="', part.filename, '"');
  if (part.filenameStar !== undefined) pieces.push(`; filename*=${part.filenameStar}`);
  if (part.type !== undefined) pieces.push(`\r\nContent-Type: ${part.type}`);
  pieces.push("\r\n\r\n");
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** The line that ends the whole body. */
export const multipartEnd = Buffer.from(`--${boundary}--\r\n`);

export function multipart(parts: readonly Part[]): MultipartBody {
  const bytes = Buffer.concat([
    ...parts.flatMap((part) => [partHead(part), Buffer.from(part.content), Buffer.from("\r\n")]),
    multipartEnd,
  ]);
  return { contentType: multipartType, bytes };
}

/** A part of the field `files` with its name in `filename*`, so that it may be any text. */
export function filePart(name: string, content: string | Uint8Array, type?: string): Part {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const simple = /^[\x20-\x7e]*$/.test(name) && !/["\\%]/.test(name);
  return {
    name: "files",
    filename: simple ? name : "fallback",
    ...(simple ? {} : { filenameStar: `UTF-8''${encoded}` }),
    ...(type === undefined ? {} : { type }),
    content,
  };
}

export function field(name: string, content: string): Part {
  return { name, content };
}
