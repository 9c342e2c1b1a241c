import { connect } from "node:net";
import { forEachConcurrently } from "../server/lib/for-each-concurrently.ts";
import { api, type Reachable, send } from "../test/client.ts";
import type { HttpResponse } from "../test/http-response.ts";
import { field, filePart } from "../test/multipart.ts";
import { bytesOf, type Content, isPartOf, newContent } from "./content.ts";
import { pickAny, pickOne, randomInt } from "./random.ts";

/** Mixed load: many clients make all kinds of requests at once on the same files. */
export interface MixedLoad {
  /** Runs `concurrency` clients for this many seconds. */
  run(concurrency: number, seconds: number): Promise<void>;
  readonly requests: number;
  /** Successful responses by kind of request, of which there must be some of each. */
  readonly successes: ReadonlyMap<string, number>;
  /** Reads every file that is left, whole, and counts what is missing or changed as lost. */
  readAll(): Promise<void>;
  /** Responses with bytes that were never uploaded. */
  readonly lost: number;
  /** The first unexpected responses, one sentence each. */
  readonly problems: readonly string[];
}

/** Above this number, clients only delete. */
const MAX_FILES = 300;
/** Files may be gone or names taken, since the clients interfere with each other. */
const EXPECTED_STATUSES = [200, 206, 304, 404, 409];

/** Kinds that every run makes. */
const KINDS = ["upload", "read", "read again", "sign", "read signed", "list", "rename"] as const;
type Kind = (typeof KINDS)[number] | "delete";

interface Known {
  readonly id: string;
  readonly url: string;
  readonly content: Content;
}

export function createMixedLoad(server: Reachable): MixedLoad {
  const a = api(server);
  const known = new Map<string, Known>();
  const problems: string[] = [];
  let [requests, lost, names] = [0, 0, 0];

  const anyFile = (): Known | undefined => pickAny([...known.values()]);
  const successes = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]));
  const recordResponse = (kind: Kind, { status, text }: HttpResponse): void => {
    requests += 1;
    if (status < 400) successes.set(kind, (successes.get(kind) ?? 0) + 1);
    if (!EXPECTED_STATUSES.includes(status) && problems.length < 20)
      problems.push(`${kind}: status ${status} ${text.slice(0, 200)}`);
  };

  async function upload(): Promise<void> {
    const content = newContent(
      pickOne([randomInt(0, 2_000), randomInt(0, 100_000), randomInt(0, 2_000_000)]),
    );
    names += 1;
    const folder = `folder-${randomInt(0, 10)}/${randomInt(0, 10)}`;
    const file = filePart(`${names}.bin`, bytesOf(content));
    const answer = await a.upload([field("folder", folder), file]);
    recordResponse("upload", answer);
    if (answer.status !== 200) return;
    const [stored] = JSON.parse(answer.text).data.files;
    known.set(stored.id, { id: stored.id, url: stored.url, content });
  }

  async function read(): Promise<void> {
    const file = anyFile();
    if (file === undefined) return;
    const start = randomInt(0, Math.max(1, file.content.size));
    const range = pickOne([undefined, `bytes=${start}-`, `bytes=${start}-${start + 500}`]);
    const answer = await send(
      server,
      "GET",
      `/${file.url}`,
      range === undefined ? {} : { Range: range },
    );
    // An empty file has no valid range.
    if (answer.status === 416 && file.content.size === 0) return;
    recordResponse("read", answer);
    const isRight = isPartOf(file.content, answer.bytes, answer.status === 206 ? start : 0);
    if (answer.status < 300 && !isRight) lost += 1;
  }

  async function readAgain(): Promise<void> {
    const file = anyFile();
    if (file === undefined) return;
    const path = `/${file.url}`;
    const etag = (await send(server, "HEAD", path)).header("etag");
    if (etag !== null)
      recordResponse("read again", await send(server, "GET", path, { "If-None-Match": etag }));
  }

  async function readSigned(): Promise<void> {
    const file = anyFile();
    if (file === undefined) return;
    const signed = await a.json("POST", "/api/files/sign", { id: file.id });
    recordResponse("sign", signed);
    if (signed.status !== 200) return;
    const answer = await send(server, "GET", `/${JSON.parse(signed.text).data.url}`);
    recordResponse("read signed", answer);
    if (answer.status === 200 && !isPartOf(file.content, answer.bytes, 0)) lost += 1;
  }

  async function list(): Promise<void> {
    const path = pickOne([
      "/api/files?limit=50",
      "/api/files?orderBy=size",
      "/api/folders",
      "/api/health",
    ]);
    recordResponse("list", await a.get(path));
  }

  async function rename(): Promise<void> {
    const file = anyFile();
    if (file === undefined) return;
    names += 1;
    const answer = await a.json("PUT", "/api/files", { id: file.id, name: `${names}.bin` });
    recordResponse("rename", answer);
    if (answer.status === 200 && known.has(file.id))
      known.set(file.id, { ...file, url: JSON.parse(answer.text).data.file.url });
  }

  async function remove(): Promise<void> {
    const file = anyFile();
    if (file === undefined) return;
    known.delete(file.id);
    recordResponse("delete", await a.json("DELETE", "/api/files", { id: file.id }));
  }

  /** Disconnects during a request or its response. */
  async function disconnect(): Promise<void> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    const start = pickOne([
      `GET /${anyFile()?.url ?? ""} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST /api/files HTTP/1.1\r\nHost: x\r\nAPI-Key: ${server.apiKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="cut"\r\n\r\n`,
    ]);
    socket.write(start);
    if (start.startsWith("POST")) socket.write(Buffer.alloc(randomInt(0, 800_000)));
    await Bun.sleep(randomInt(0, 20));
    if (randomInt(0, 2) === 0) socket.destroy();
    else socket.resetAndDestroy();
    await closed;
    requests += 1;
  }

  const actions = [
    upload,
    upload,
    read,
    read,
    read,
    readAgain,
    readSigned,
    list,
    rename,
    disconnect,
  ] as const;

  return {
    async run(concurrency, seconds) {
      const until = performance.now() + seconds * 1000;
      await forEachConcurrently(Array(concurrency).keys(), concurrency, async () => {
        while (performance.now() < until)
          await (known.size > MAX_FILES ? remove() : pickOne([...actions])());
      });
    },
    async readAll() {
      await forEachConcurrently([...known.values()], 8, async (file) => {
        const { status, bytes } = await send(server, "GET", `/${file.url}`);
        const isWhole = bytes.length === file.content.size && isPartOf(file.content, bytes, 0);
        if (status === 200 && isWhole) return;
        lost += 1;
        if (problems.length < 20) problems.push(`${file.url} at the end: status ${status}.`);
      });
    },
    successes,
    get requests() {
      return requests;
    },
    get lost() {
      return lost;
    },
    problems,
  };
}
