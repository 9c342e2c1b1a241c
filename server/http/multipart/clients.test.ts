import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/expectations.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { defaultLimits } from "./limits.ts";
import { readMultipart } from "./read-multipart.ts";

/* Forms that curl and fetch send to a real server, and a client that disconnects. */

interface ReceivedPart {
  readonly name: string;
  readonly filename: string | null;
  readonly bytes: number;
  readonly hash: string;
}

const NAMES = [
  "plain.txt",
  "two words.txt",
  'a "quoted" name.txt',
  "日本語のファイル 😀.txt",
  "100% sure %41.txt",
  "it's; a=b, c.txt",
  "é.txt",
];
const BACKSLASH = String.raw`back\slash.txt`;

/** Called for each piece of a part. */
let onPiece: () => void = () => {};

async function readForm(request: Request): Promise<ReceivedPart[]> {
  const received: ReceivedPart[] = [];
  const body = request.body ?? new Response("").body;
  if (body === null) throw new Error("The request has no body.");
  const form = readMultipart(body, request.headers.get("content-type"), defaultLimits(100));
  for await (const part of form) {
    const hash = new Bun.CryptoHasher("md5");
    let bytes = 0;
    for await (const piece of part.body) {
      hash.update(piece);
      bytes += piece.length;
      onPiece();
    }
    const { name, filename = null } = part;
    received.push({ name, filename, bytes, hash: hash.digest("hex") });
  }
  return received;
}

const md5 = (bytes: Uint8Array): string => new Bun.CryptoHasher("md5").update(bytes).digest("hex");

describe("real clients", () => {
  let folder: string;
  let server: ReturnType<typeof Bun.serve>;
  const faults: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "holdall-clients-"));
    server = Bun.serve({
      port: 0,
      async fetch(request) {
        try {
          return Response.json(await readForm(request));
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          faults.push(error.kind);
          return Response.json(error.message, { status: 400 });
        }
      },
    });
  });
  afterAll(async () => {
    await server.stop(true);
    await rm(folder, { recursive: true });
  });

  async function curl(...args: string[]): Promise<unknown> {
    const child = Bun.spawn(["curl", "-sS", ...args, server.url.href], { stdout: "pipe" });
    return JSON.parse(await new Response(child.stdout).text());
  }

  test.each([...NAMES, BACKSLASH])("parses the file name %s from curl", async (name) => {
    const path = join(folder, name);
    const content = crypto.getRandomValues(new Uint8Array(10_000));
    await Bun.write(path, content);
    // curl's -F escapes quotes and backslashes.
    const quoted = `"${path.replace(/["\\]/g, "\\$&")}"`;
    const file = { name: "files", filename: name, bytes: 10_000, hash: md5(content) };
    for (const options of [
      [],
      ["-H", "Transfer-Encoding: chunked"],
      ["-H", "Expect: 100-continue"],
    ]) {
      const received = await curl(...options, "-F", "folder=a/b", "-F", `files=@${quoted}`);
      expect(received).toEqual([
        { name: "folder", filename: null, bytes: 3, hash: md5(Buffer.from("a/b")) },
        file,
      ]);
    }
  });

  test("parses several files from curl with --form-escape", async () => {
    const paths = ['a"b.txt', "c.txt"].map((name) => join(folder, name));
    for (const path of paths) await Bun.write(path, "");
    const parts = paths.flatMap((path) => ["-F", `files=@"${path.replace(/["\\]/g, "\\$&")}"`]);
    const received = await curl("--form-escape", ...parts);
    const empty = { name: "files", bytes: 0, hash: md5(new Uint8Array()) };
    expect(received).toEqual([
      { ...empty, filename: 'a"b.txt' },
      { ...empty, filename: "c.txt" },
    ]);
  });

  test("parses a form from fetch with any file name, and an empty form", async () => {
    const form = new FormData();
    const expected: ReceivedPart[] = [];
    for (const filename of [...NAMES, BACKSLASH]) {
      const content = crypto.getRandomValues(new Uint8Array(100 + expected.length));
      form.append("files", new File([content], filename));
      expected.push({ name: "files", filename, bytes: content.length, hash: md5(content) });
    }
    form.append('odd "name" 日本', "text");
    expected.push({
      name: 'odd "name" 日本',
      filename: null,
      bytes: 4,
      hash: md5(Buffer.from("text")),
    });
    const send = async (body: FormData): Promise<unknown> =>
      (await fetch(server.url, { method: "POST", body })).json();
    expect(await send(form)).toEqual(expected);
    expect(await send(new FormData())).toEqual([]);
  });

  test("receives 100 MB unchanged", async () => {
    const content = Buffer.alloc(100_000_000);
    for (let i = 0; i < content.length; i += 4) content.writeUInt32LE((i * 2_654_435_761) >>> 0, i);
    const form = new FormData();
    form.append("files", new File([content], "big"));
    const response = await fetch(server.url, { method: "POST", body: form });
    expect(await response.json()).toEqual([
      { name: "files", filename: "big", bytes: content.length, hash: md5(content) },
    ]);
  });

  test("a client that disconnects in the middle of a part causes an invalid fault", async () => {
    const before = faults.length;
    const piece = Promise.withResolvers<void>();
    onPiece = piece.resolve;
    const client = connect(Number(server.port), server.hostname);
    client.write(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\nContent-Type: multipart/form-data; boundary=B\r\n\r\n" +
        '--B\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nhalf',
    );
    // The server never sees a request whose client disconnects before the handler runs.
    await piece.promise;
    client.destroy();
    await eventually("the form ends", () => faults.length > before);
    expect(faults.slice(before)).toEqual(["invalid"]);
  });
});
