import { createS3Client, type S3Client } from "../../blobs/s3/s3-client.ts";
import { S3Error } from "../../blobs/s3/s3-error.ts";
import type { BucketAddress } from "../../blobs/s3/s3-settings.ts";
import { findElement, readList, readXml, textIn } from "../../blobs/s3/xml.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { childrenOf, childText, type XmlElement } from "../../runtime/xml.ts";
import { parseBucketPolicy } from "../../semantics/s3/bucket-policy.ts";
import { bareEtag } from "../../semantics/s3/object-etag.ts";
import type { Tags } from "../../semantics/s3/tags.ts";
import { readAccess } from "./read-access.ts";
import { readSourceObject } from "./read-source-object.ts";
import type { ListedObject, ObjectAccess, SourceBucket } from "./source-bucket.ts";

/** The time for all attempts of one request together, in milliseconds. */
const TIMEOUT = 60_000;
const PAGE = "1000";
const FIRST_PAGE = { "list-type": "2", "max-keys": "1" };

/** Opens the bucket and reads its settings. Throws S3Error: it cannot be listed. */
export async function openS3Source(address: BucketAddress): Promise<SourceBucket> {
  const settings = { ...address, forcePathStyle: true, timeout: TIMEOUT };
  const client = createS3Client(settings);
  const token = address.sessionToken;
  const common: Readonly<Record<string, string>> =
    token === null ? {} : { "x-amz-security-token": token };
  const send: Send = (method, query, key) =>
    client.send({ method, query, headers: common, ...(key === undefined ? {} : { key }) });

  // The first request, so that wrong credentials or a wrong name end the command.
  await send("GET", FIRST_PAGE);
  const isSupabase = address.kind === "supabase";
  const { notes, publicPath } = isSupabase
    ? { notes: [] as string[], publicPath: undefined }
    : await readBucketSettings(send, address.bucket);
  const asksTags = createQuestion(!isSupabase, () => notes.push(TAGS_REFUSED));
  const asksAcl = createQuestion(!isSupabase, () => notes.push(ACLS_REFUSED));
  let countsTags = false;
  let isPublicBucket: boolean | undefined;

  async function tagsOf(key: string): Promise<Tags> {
    const { text } = await send("GET", { tagging: "" }, key);
    const set = findElement(readXml(text), "TagSet");
    return childrenOf(set ?? { name: "", text: "", children: [] }, "Tag").map((tag) => [
      childText(tag, "Key") ?? "",
      childText(tag, "Value") ?? "",
    ]);
  }

  const accessByAcl = async (key: string): Promise<ObjectAccess> =>
    readAccess((await send("GET", { acl: "" }, key)).text);

  return {
    notes,
    hasMd5Etags: !isSupabase,
    list: (prefix) => listObjects(send, prefix),

    async find(key) {
      try {
        const headers = { ...common, "x-amz-checksum-mode": "ENABLED" };
        const found = await client.send({ method: "HEAD", key, headers });
        return { object: listedOf(key, found.headers), headers: found.headers };
      } catch (error) {
        if (error instanceof S3Error && error.status === 404) return undefined;
        throw error;
      }
    },

    open: (object) =>
      readSourceObject(client, object, { ...common, "x-amz-checksum-mode": "ENABLED" }),

    ...createPartSizes(client, common),

    async tags(key, headers) {
      const count = headers.get("x-amz-tagging-count");
      countsTags ||= count !== null;
      if (countsTags && count === null) return [];
      return (await asksTags(() => tagsOf(key))) ?? [];
    },

    async access(key) {
      if (isSupabase) {
        isPublicBucket ??= await isPublicAtSupabase(address, key);
        return { isPublic: isPublicBucket, losses: [] };
      }
      if (publicPath === "" || (publicPath !== undefined && key.startsWith(`${publicPath}/`))) {
        return { isPublic: true, losses: [] };
      }
      return (await asksAcl(() => accessByAcl(key))) ?? { isPublic: false, losses: [] };
    },

    isAlive: () =>
      client.send({ method: "GET", query: FIRST_PAGE, headers: common, attempts: 1 }).then(
        () => true,
        () => false,
      ),
  };
}

type Send = (
  method: "GET" | "HEAD",
  query: Readonly<Record<string, string>>,
  key?: string,
) => Promise<{ readonly text: string; readonly headers: Headers }>;

async function* listObjects(send: Send, prefix: string): AsyncGenerator<ListedObject, void, void> {
  const tokens = new Set<string>();
  for (let token: string | undefined; ; ) {
    const { text } = await send("GET", {
      "list-type": "2",
      // Keys may have characters that a document cannot have.
      "encoding-type": "url",
      "max-keys": PAGE,
      ...(prefix === "" ? {} : { prefix }),
      ...(token === undefined ? {} : { "continuation-token": token }),
    });
    const list = readList(text, "the list of the bucket");
    const isEncoded = childText(list, "EncodingType") === "url";
    for (const element of childrenOf(list, "Contents")) yield readContents(element, isEncoded);
    if (childText(list, "IsTruncated") !== "true") return;
    const next = childText(list, "NextContinuationToken");
    if (next === undefined || tokens.has(next)) {
      throw new S3Error(500, "", "the list of the bucket: it goes on without a new token");
    }
    tokens.add(next);
    token = next;
  }
}

/** S3Error: it has no valid key, size or time. */
function readContents(element: XmlElement, isEncoded: boolean): ListedObject {
  const key = textIn(element, "Key");
  const sizeText = textIn(element, "Size").trim();
  const size = /^\d{1,15}$/.test(sizeText) ? Number(sizeText) : Number.NaN;
  const modifiedAt = Date.parse(textIn(element, "LastModified"));
  const decoded = isEncoded ? decodeKey(key) : key;
  if (decoded === undefined || Number.isNaN(size) || Number.isNaN(modifiedAt)) {
    throw new S3Error(500, "", `the list of the bucket: what it says of ${key} cannot be read`);
  }
  return { key: decoded, size, etag: bareEtag(textIn(element, "ETag")), modifiedAt };
}

/** undefined: it is malformed. */
function decodeKey(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

const listedOf = (key: string, headers: Headers): ListedObject => ({
  key,
  size: Number(headers.get("content-length") ?? 0),
  etag: bareEtag(headers.get("etag") ?? ""),
  modifiedAt: Date.parse(headers.get("last-modified") ?? ""),
});

function createPartSizes(
  client: S3Client,
  common: Readonly<Record<string, string>>,
): Pick<SourceBucket, "partSizes" | "likelyPartSizes"> {
  async function sizeOf(key: string, part: number): Promise<number> {
    const query = { partNumber: String(part) };
    const { headers } = await client.send({ method: "HEAD", key, query, headers: common });
    return Number(headers.get("content-length") ?? Number.NaN);
  }

  async function allSizes(
    { key, size }: ListedObject,
    count: number,
  ): Promise<readonly number[] | undefined> {
    const sizes: number[] = [];
    for (let part = 1; part <= count; part += 1) {
      sizes.push(await sizeOf(key, part));
      // The source ignores the number of the part.
      if (part === 1 && count > 1 && sizes[0] === size) return undefined;
    }
    return sizes.reduce((sum, each) => sum + each, 0) === size ? sizes : undefined;
  }

  async function likelySizes(
    object: ListedObject,
    count: number,
  ): Promise<readonly number[] | undefined> {
    const { key, size } = object;
    if (count === 1) return [size];
    const [first, last] = [await sizeOf(key, 1), await sizeOf(key, count)];
    if (first * (count - 1) + last !== size) return allSizes(object, count);
    return [...Array.from({ length: count - 1 }, () => first), last];
  }

  return {
    partSizes: (object, count) => ifKnown(allSizes(object, count)),
    likelyPartSizes: (object, count) => ifKnown(likelySizes(object, count)),
  };
}

/** undefined: the source has no such operation. */
async function ifKnown<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof S3Error && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  }
}

const TAGS_REFUSED = "These credentials may not read all tags: the other ones are not carried.";
const ACLS_REFUSED =
  "These credentials may not read all ACLs: the other objects are imported as private.";

/**
 * Asks until the server says that it has no such operation, or that these credentials may not use it, which
 * `onRefused` is told of.
 */
function createQuestion(isPossible: boolean, onRefused: () => void) {
  let asks = isPossible;
  return async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    if (!asks) return undefined;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      if (error.status === 404) return undefined;
      if (![400, 403, 405, 501].includes(error.status)) throw error;
      if (asks && error.status === 403) onRefused();
      asks = false;
      return undefined;
    }
  };
}

/** The settings of a bucket that only a person can set again, by the subresource that has them. */
const SETTINGS: readonly (readonly [subresource: string, element: string, note: string])[] = [
  ["cors", "CORSRule", "It has CORS rules: set them again with PutBucketCors."],
  ["tagging", "Tag", "It has tags: set them again with PutBucketTagging."],
  ["lifecycle", "Rule", "It has lifecycle rules, which are not carried."],
  ["notification", "Event", "It sends notifications, which are not carried."],
  ["replication", "Rule", "It is replicated, which is not carried."],
  ["website", "IndexDocument", "It is a website, which is not carried."],
  ["object-lock", "ObjectLockEnabled", "It has an object lock, which is not carried."],
];

async function readBucketSettings(send: Send, bucket: string) {
  const notes: string[] = [];
  /** The text of a setting; undefined: there is none, or these credentials may not read it. */
  const read = (subresource: string): Promise<string | undefined> =>
    send("GET", { [subresource]: "" }).then(
      ({ text }) => text,
      (error: unknown) => {
        if (error instanceof S3Error && error.status >= 400) return undefined;
        throw error;
      },
    );
  const versioning = textIn(readXml((await read("versioning")) ?? ""), "Status");
  if (versioning !== "") {
    notes.push("It has had versions: only the current ones are imported.");
  }
  for (const [subresource, element, note] of SETTINGS) {
    if (findElement(readXml((await read(subresource)) ?? ""), element) !== undefined) {
      notes.push(note);
    }
  }
  const policy = await read("policy");
  let publicPath: string | undefined;
  if (policy?.trim().startsWith("{") === true) {
    try {
      publicPath = parseBucketPolicy(policy, bucket).reads;
      if (publicPath !== undefined) {
        notes.push(
          "Its policy makes objects public, and they are imported as public. To make new ones public, set the policy again.",
        );
      }
    } catch (error) {
      if (!(error instanceof S3Fault)) throw error;
      notes.push(`Its policy is not carried, and makes nothing public: ${error.message}`);
    }
  }
  return { notes, publicPath };
}

/**
 * A public bucket of Supabase shows its objects to everyone, at another path of the same server. A redirect, such as to
 * a page to sign in, shows no object.
 */
async function isPublicAtSupabase(
  { endpoint, bucket }: BucketAddress,
  key: string,
): Promise<boolean> {
  const root = endpoint.replace(/\/s3\/?$/, "");
  const path = [bucket, ...key.split("/")].map(encodeURIComponent).join("/");
  try {
    const response = await fetch(`${root}/object/public/${path}`, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return response.ok;
  } catch {
    throw new S3Error(0, "", `${root}/object/public: no response`);
  }
}
