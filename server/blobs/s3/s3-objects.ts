import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import { createDigest, sha256Of } from "../../runtime/hash.ts";
import { childrenOf, type XmlElement } from "../../runtime/xml.ts";
import type { S3Client } from "./s3-client.ts";
import { S3Error, unlessAbsent } from "./s3-error.ts";
import { escapeXml, findElement, readList, readXml, textIn } from "./xml.ts";

/** Lists, sizes and removes the objects of a bucket. Every function throws S3Error. */
export interface S3Objects {
  /** In bytes; undefined: the object does not exist. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Every key with this prefix, in order. */
  keys(prefix: string): AsyncGenerator<string>;
  /** Every key with this prefix, in order, with the object's size in bytes. */
  sizes(prefix: string): AsyncGenerator<readonly [key: string, size: number]>;
  /** Each common prefix up to and including the next slash, once. */
  prefixes(prefix: string): AsyncGenerator<string>;
  /** Removing an absent object is not an error. */
  remove(keys: readonly string[]): Promise<void>;
}

/** S3's limit for one DeleteObjects request. */
const MAX_KEYS = 1000;
/** How many objects are removed at once in stores without DeleteObjects. */
const REMOVAL_CONCURRENCY = 8;

export function createS3Objects(client: S3Client): S3Objects {
  let supportsBatches = true;

  async function* list(prefix: string, delimiter: "" | "/", element: string) {
    for (let token = ""; ; ) {
      const { text } = await client.send({
        method: "GET",
        query: {
          "list-type": "2",
          "encoding-type": "url",
          prefix,
          ...(delimiter === "" ? {} : { delimiter }),
          ...(token === "" ? {} : { "continuation-token": token }),
        },
      });
      const found = readList(text, `GET the bucket, ${prefix}`);
      yield* childrenOf(found, element);
      token = textIn(found, "NextContinuationToken");
      if (textIn(found, "IsTruncated") !== "true" || token === "") return;
    }
  }

  async function* texts(entries: AsyncIterable<XmlElement>, field: string) {
    for await (const entry of entries) yield decode(textIn(entry, field));
  }

  /** The response to a HEAD has no code, so only a GET shows that it is the store that finds nothing. */
  async function requireAbsent(key: string): Promise<void> {
    const range = { Range: "bytes=0-0" };
    const found = await client.send({ method: "GET", key, headers: range }).catch(unlessAbsent);
    if (found === undefined) return;
    throw new S3Error(500, "", `HEAD ${key}: 404, but GET finds it`);
  }

  async function removeOne(key: string): Promise<void> {
    await client.send({ method: "DELETE", key }).catch(unlessAbsent);
  }

  async function removeBatch(keys: readonly string[]): Promise<void> {
    const items = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join("");
    const xml = Buffer.from(`<Delete><Quiet>true</Quiet>${items}</Delete>`);
    const { text } = await client.send({
      method: "POST",
      query: { delete: "" },
      headers: {
        "Content-Type": "application/xml",
        "Content-MD5": createDigest("md5").update(xml).digest("base64"),
      },
      body: bodyOf(xml),
    });
    const error = findElement(readXml(text), "Error");
    if (error === undefined) return;
    const code = textIn(error, "Code");
    throw new S3Error(500, code, `DELETE ${textIn(error, "Key")}: ${code}`);
  }

  return {
    async sizeOf(key) {
      try {
        const { headers } = await client.send({ method: "HEAD", key });
        return Number(headers.get("content-length"));
      } catch (error) {
        if (!(error instanceof S3Error) || error.status !== 404) throw error;
        await requireAbsent(key);
        return undefined;
      }
    },
    keys: (prefix) => texts(list(prefix, "", "Contents"), "Key"),
    async *sizes(prefix) {
      for await (const entry of list(prefix, "", "Contents")) {
        yield [decode(textIn(entry, "Key")), Number(textIn(entry, "Size"))];
      }
    },
    prefixes: (prefix) => texts(list(prefix, "/", "CommonPrefixes"), "Prefix"),
    async remove(keys) {
      const left = [...new Set(keys)];
      while (supportsBatches && left.length > 1) {
        const batch = left.slice(0, MAX_KEYS);
        try {
          await removeBatch(batch);
          left.splice(0, batch.length);
        } catch (error) {
          if (!(error instanceof S3Error) || ![400, 405, 501].includes(error.status)) throw error;
          supportsBatches = false;
        }
      }
      await forEachConcurrently(left, REMOVAL_CONCURRENCY, removeOne);
    },
  };
}

/** A body in memory. */
export function bodyOf(bytes: Uint8Array) {
  const sha256 = sha256Of(bytes);
  return { length: bytes.byteLength, sha256, open: () => bytes };
}

/** Decodes a key from a response with `encoding-type=url`. */
const decode = (key: string): string => decodeURIComponent(key.replaceAll("+", " "));
