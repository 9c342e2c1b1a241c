import { childrenOf } from "../../runtime/xml.ts";
import type { Slice } from "../port.ts";
import type { S3Body, S3Client } from "./s3-client.ts";
import { S3Error, unlessAbsent } from "./s3-error.ts";
import { bodyOf } from "./s3-objects.ts";
import { keyPath } from "./s3-settings.ts";
import { escapeXml, findElement, findText, readList, readXml, textIn } from "./xml.ts";

/** A multipart upload. The object exists only once the upload is completed. */
export interface Multipart {
  readonly uploadId: string;
  /** Resolves with the ETag for `complete`. Parts are numbered from 1. */
  put(part: number, body: S3Body, signal: AbortSignal): Promise<string>;
  /** Uses `size`, that of the whole object, to detect a completion whose response was lost. */
  complete(tags: readonly string[], size: number): Promise<void>;
  /** The parts that S3 has after this one, in order; undefined: the upload was completed or aborted. */
  partsAfter(part: number): Promise<ListedPart[] | undefined>;
  /** Copies a range of an object as a part. Resolves with its ETag. */
  copy(part: number, from: string, range: Slice): Promise<string>;
}

export interface ListedPart {
  readonly part: number;
  /** As `put` returns it. */
  readonly tag: string;
  readonly size: number;
}

/** An unfinished multipart upload, started by this process or another. */
export interface Unfinished {
  readonly key: string;
  readonly uploadId: string;
}

export interface Multiparts {
  /** An upload that was started earlier. Sends nothing. */
  resume(unfinished: Unfinished): Multipart;
  /** `mayHaveOrphan`: an earlier attempt may have started an upload of this key whose id was lost. */
  start(key: string): Promise<{ readonly multipart: Multipart; readonly mayHaveOrphan: boolean }>;
  unfinished(prefix: string): AsyncGenerator<Unfinished & { readonly startedAt: number }>;
  /** Removes the upload with its parts. An absent upload is not an error. */
  abort(unfinished: Unfinished, attempts?: number): Promise<void>;
}

/** Attempts to complete an upload when responses are lost. */
const MAX_COMPLETIONS = 3;

export function createMultiparts(
  client: S3Client,
  sizeOf: (key: string) => Promise<number | undefined>,
): Multiparts {
  function multipartOf(key: string, uploadId: string): Multipart {
    async function list(after: number): Promise<ListedPart[]> {
      const found: ListedPart[] = [];
      for (let marker = String(after); ; ) {
        const { text } = await client.send({
          method: "GET",
          key,
          query: { uploadId, "part-number-marker": marker },
        });
        const parts = readList(text, `GET ${key}?uploadId`);
        for (const entry of childrenOf(parts, "Part")) {
          const part = Number(textIn(entry, "PartNumber"));
          found.push({
            part,
            tag: quoted(textIn(entry, "ETag")),
            size: Number(textIn(entry, "Size")),
          });
        }
        marker = textIn(parts, "NextPartNumberMarker");
        if (textIn(parts, "IsTruncated") !== "true" || marker === "") return found;
      }
    }

    const partsAfter = (part: number): Promise<ListedPart[] | undefined> =>
      list(part).catch(unlessAbsent);

    return {
      partsAfter,

      async copy(part, from, { start, end }) {
        const headers = {
          "X-Amz-Copy-Source": `/${client.bucket}/${keyPath(from)}`,
          "X-Amz-Copy-Source-Range": `bytes=${start}-${end - 1}`,
        };
        const query = { partNumber: String(part), uploadId };
        return quoted(
          await etagOfCopy(client.send({ method: "PUT", key, query, headers, isLong: true })),
        );
      },

      uploadId,
      async put(part, body, signal) {
        const query = { partNumber: String(part), uploadId };
        const { headers } = await client.send({ method: "PUT", key, query, body, signal });
        return quoted(headers.get("etag") ?? "");
      },

      async complete(tags, size) {
        const items = tags.map(
          (tag, index) =>
            `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
        );
        const xml = `<CompleteMultipartUpload>${items.join("")}</CompleteMultipartUpload>`;
        const body = bodyOf(Buffer.from(xml));
        for (let round = 1; ; round += 1) {
          try {
            const request = {
              method: "POST",
              key,
              query: { uploadId },
              body,
              attempts: 1,
              isLong: true,
            } as const;
            const result = readXml((await client.send(request)).text);
            // S3 may respond 200 and then report an error in the body.
            if (findElement(result, "Error") === undefined) return;
            if (findText(result, "ETag") !== "") return;
            const code = findText(result, "Code");
            throw new S3Error(500, code, `Completing ${key}: ${code}`);
          } catch (error) {
            // An earlier object of this key may have the same size.
            if ((await sizeOf(key)) === size && (await partsAfter(0)) === undefined) return;
            if (round === MAX_COMPLETIONS || !(error instanceof S3Error)) throw error;
            if (error.status > 0 && error.status < 500) throw error;
          }
        }
      },
    };
  }

  return {
    resume: ({ key, uploadId }) => multipartOf(key, uploadId),

    async start(key) {
      const { text, attempts } = await client.send({ method: "POST", key, query: { uploads: "" } });
      const uploadId = findText(readXml(text), "UploadId");
      if (uploadId === "") throw new S3Error(500, "", `POST ${key}?uploads: no UploadId`);
      return { multipart: multipartOf(key, uploadId), mayHaveOrphan: attempts > 1 };
    },

    async *unfinished(prefix) {
      for (let [key, upload] = ["", ""]; ; ) {
        const { text } = await client.send({
          method: "GET",
          query: {
            uploads: "",
            prefix,
            ...(key === "" ? {} : { "key-marker": key, "upload-id-marker": upload }),
          },
        });
        const uploads = readList(text, "GET the bucket?uploads");
        for (const entry of childrenOf(uploads, "Upload")) {
          yield {
            key: textIn(entry, "Key"),
            uploadId: textIn(entry, "UploadId"),
            startedAt: Date.parse(textIn(entry, "Initiated")),
          };
        }
        [key, upload] = [textIn(uploads, "NextKeyMarker"), textIn(uploads, "NextUploadIdMarker")];
        if (textIn(uploads, "IsTruncated") !== "true" || key === "") return;
      }
    },

    async abort({ key, uploadId }, attempts) {
      const limit = attempts === undefined ? {} : { attempts };
      await client
        .send({ method: "DELETE", key, query: { uploadId }, ...limit })
        .catch(unlessAbsent);
    },
  };
}

/** Resolves with the ETag of the copy. S3 may respond 200 and then report an error in the body. */
export async function etagOfCopy(response: Promise<{ readonly text: string }>): Promise<string> {
  const result = readXml((await response).text);
  const tag = findText(result, "ETag");
  const code = findText(result, "Code");
  if (tag === "") throw new S3Error(500, code, `Copying: ${code}`);
  return tag;
}

/** Stores quote ETags in headers, but not always in XML. */
const quoted = (tag: string): string => `"${tag.replaceAll('"', "")}"`;
