import { ANYTHING } from "../../server/http/s3/xml/document-shape.ts";
import { readXml } from "../../server/http/s3/xml/read-xml.ts";
import { uriEncode } from "../../server/semantics/s3-signature/uri-encode.ts";
import { api, type Reachable } from "../client.ts";
import { expectData } from "../expectations.ts";
import { rawRequest } from "../raw.ts";
import {
  bytesOf,
  type Draft,
  formDraft,
  presign,
  type Signing,
  signChunks,
  signForm,
  signHeader,
} from "../s3-api/sign-request.ts";
import { newKeyData } from "../shapes.ts";
import { hostileName } from "./hostile-name.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

const BUCKET = "scope";
/** In every file outside the bucket. */
const SECRET = "content from outside the bucket";
const CONTENT = "hostile content";
/** Its CRC-32. */
const CHECKSUM = "zDYetA==";

/** Hostile requests of the S3 API, with valid signatures of a key for one bucket. */
export interface S3Attacker {
  attack(seed: number): Promise<void>;
  /** Wrong responses, and changes outside the bucket. */
  problems(): Promise<string[]>;
}

export async function createS3Attacker(server: Reachable): Promise<S3Attacker> {
  const a = api(server);
  const { port, host } = new URL(server.url);
  for (const path of ["vault/secret.txt", "scope-/f.txt", "root.txt"]) {
    await a.put(path, SECRET, { visibility: "private" });
  }
  await a.put(`${BUCKET}/digits.txt`, "0123456789", { visibility: "private" });
  const made = await a.json("POST", "/api/keys", {
    name: "limited",
    folder: BUCKET,
    actions: ["list", "read", "write", "delete"],
  });
  const shown = await a.json("POST", "/api/keys/s3", { id: expectData(made, newKeyData).key.id });
  const signing: Signing = JSON.parse(shown.text).data;
  const found: string[] = [];

  async function readOutside(): Promise<string> {
    const { folder, files, folders } = await a.browse("");
    const inner = await Promise.all(
      folders.filter(({ key }) => key !== BUCKET).map(({ key }) => a.browse(key)),
    );
    return JSON.stringify([{ ...folder, updatedAt: "" }, files, inner]);
  }
  const before = await readOutside();

  const draft = (method: string, path: string, more: Partial<Draft> = {}): Draft => ({
    method,
    path,
    query: "",
    headers: { host },
    body: Buffer.alloc(0),
    ...more,
  });

  async function send(request: Draft) {
    const response = await rawRequest(Number(port), bytesOf(request));
    const problem = (text: string): void =>
      void found.push(`${text}: ${request.method} ${request.path}?${request.query}`);
    if (response.status >= 500 && response.status !== 501) problem(`status ${response.status}`);
    if (response.received.includes(SECRET)) problem("content from outside");
    const type = response.header("content-type") ?? "";
    if (type.startsWith("application/xml") && response.text !== "") {
      const [, root = ""] = /<([A-Za-z]+)[ >]/.exec(response.text.replace(/^<\?.*\?>/, "")) ?? [];
      const bytes = (async function* () {
        yield response.bytes;
      })();
      await readXml(bytes, root, ANYTHING).catch((error) => problem(`unreadable XML (${error})`));
    }
    return { ...response, text: response.text, problem };
  }

  /** An object with a hostile name is refused, or comes back as it was. */
  async function tryName(random: SeededRandom, seed: number): Promise<void> {
    const key = `names-${seed}/${hostileName(random).toWellFormed()}`;
    const path = `/${BUCKET}/${key.split("/").map(uriEncode).join("/")}`;
    const body = Buffer.from(CONTENT);
    const put = await send(signHeader(draft("PUT", path, { body }), signing));
    if (put.status !== 200) return;
    const isFolder = key.endsWith("/");
    const get = await send(presign(draft("GET", path), signing));
    if (!isFolder && get.text !== CONTENT) get.problem("another content");
    const removed = await send(signHeader(draft("DELETE", path), signing));
    if (removed.status !== 204) removed.problem(`not removed: ${removed.status}`);
  }

  async function tryPath(random: SeededRandom): Promise<void> {
    const pieces = [
      "..",
      ".",
      "%2e%2e",
      "",
      "vault",
      "secret.txt",
      "root.txt",
      "scope-",
      "%2F",
      "%00",
      "\\..",
    ] as const;
    const segments = Array.from({ length: random.int(1, 8) }, () => random.pick(pieces));
    const path = `/${BUCKET}/${segments.join("/")}`;
    const method = random.pick(["GET", "PUT", "DELETE", "POST", "HEAD"]);
    await send(signHeader(draft(method, path), signing));
    await send(presign(draft(method, `/${segments.join("/")}`), signing));
    const headers = { host, "x-amz-copy-source": `${random.pick(["/", ""])}${segments.join("/")}` };
    await send(signHeader(draft("PUT", `/${BUCKET}/copy.txt`, { headers }), signing));
  }

  async function tryQuery(random: SeededRandom): Promise<void> {
    const names = [
      "prefix",
      "delimiter",
      "marker",
      "start-after",
      "continuation-token",
      "max-keys",
    ] as const;
    const more = [
      "list-type=2",
      "encoding-type=url",
      "uploads=",
      "versions=",
      "acl=",
      "fetch-owner=true",
    ] as const;
    const query = [
      random.pick(more),
      ...Array.from({ length: random.int(0, 4) }, () => {
        const value = random.pick([
          hostileName(random).toWellFormed(),
          "-1",
          "0",
          "1",
          "/",
          "../vault/",
        ]);
        return `${random.pick(names)}=${uriEncode(value)}`;
      }),
    ];
    await send(signHeader(draft("GET", `/${BUCKET}`, { query: query.join("&") }), signing));
  }

  async function tryXml(random: SeededRandom): Promise<void> {
    const key = random.pick([
      "../vault/secret.txt",
      "/vault/secret.txt",
      "digits.txt/..",
      "a//b",
      "\u0001",
      "x",
    ]);
    const bomb = '<!DOCTYPE Delete [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
    const object = `<Object><Key>${key}</Key></Object>`;
    const text = random.pick([
      `<Delete>${object.repeat(random.int(0, 1100))}</Delete>`,
      `${bomb}<Delete><Object><Key>&b;</Key></Object></Delete>`,
      "<Delete>".repeat(random.int(1, 50_000)),
      `<Delete>${hostileName(random)}</Delete>`,
      "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>",
      `<CompleteMultipartUpload><Part><PartNumber>-1</PartNumber><ETag>${key}</ETag></Part></CompleteMultipartUpload>`,
    ]);
    const query = random.pick(["delete=", "uploadId=x", "uploadId=..%2F..", "uploads="]);
    const path = query === "delete=" ? `/${BUCKET}` : `/${BUCKET}/upload.bin`;
    const body = Buffer.from(text.toWellFormed());
    await send(signHeader(draft("POST", path, { query, body }), signing));
  }

  async function tryChunks(random: SeededRandom, seed: number): Promise<void> {
    const path = `/${BUCKET}/chunks-${seed}.txt`;
    const isSigned = random.chance(0.5);
    const trailer = ["x-amz-checksum-crc32", CHECKSUM] as const;
    const request = signChunks(draft("PUT", path, { body: Buffer.from(CONTENT) }), signing, {
      isSigned,
      trailer,
    });
    const at = random.int(0, request.body.length);
    const insert = Buffer.from(random.pick(["\r\n", "0\r\n\r\n", "f", "\n", ";", "", "\0"]));
    const body = Buffer.concat([
      request.body.subarray(0, at),
      insert,
      request.body.subarray(at + random.int(0, 3)),
    ]);
    const put = await send({ ...request, body });
    if (put.status !== 200) return;
    const get = await send(signHeader(draft("GET", path), signing));
    if (get.text !== CONTENT) get.problem("another content");
  }

  async function tryForm(random: SeededRandom): Promise<void> {
    const key = random.pick([
      "forms/a.txt",
      "forms/../../vault/secret.txt",
      "",
      "$" + "{filename}",
    ]);
    const signed = signForm([["key", key]], [{ bucket: BUCKET }, { key }], signing);
    const order = random.chance(0.3) ? [...signed].reverse() : signed;
    const fields = random.chance(0.5)
      ? [...order, [hostileName(random).replace(/[\r\n"]/g, ""), "x"] as const]
      : order;
    await send(formDraft(random.pick([`/${BUCKET}`, "/vault", "/"]), fields, CONTENT, host));
  }

  const attempts = [tryName, tryPath, tryQuery, tryXml, tryChunks, tryForm] as const;
  return {
    async attack(seed) {
      const random = createSeededRandom(seed);
      await random.pick(attempts)(random, seed);
    },
    async problems() {
      const isUntouched = (await readOutside()) === before;
      return isUntouched ? found : [...found, "Something outside the bucket was changed."];
    },
  };
}
