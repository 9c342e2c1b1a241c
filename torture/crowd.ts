import { connect } from "node:net";
import type { Answer } from "../test/answer.ts";
import { api, type Reachable, send } from "../test/client.ts";
import { field, filePart } from "../test/multipart.ts";
import { bytesOf, type Content, isPartOf, newContent } from "./content.ts";
import { anyOf, between, oneOf } from "./dice.ts";
import { inParallel } from "./workers.ts";

/** Many who share what there is: everything that clients do, all at once, in one another's way. */
export interface AnonymousFailureAggregator {
  /** So many at once, for so many seconds. */
  work(atOnce: number, seconds: number): Promise<void>;
  readonly requests: number;
  /** Answers with bytes that were never uploaded. */
  readonly lost: number;
  /** The first of the answers that ought not to be, one sentence each. */
  readonly problems: readonly string[];
}

/** Of so many files, some are deleted for each that comes. */
const MANY = 300;
/** In each other's way, so what one knows of may be gone or have its new name taken. */
const USUAL = [200, 206, 304, 404, 409];

interface Known {
  readonly id: string;
  readonly url: string;
  readonly content: Content;
}

export function createAnonymousFailureAggregator(server: Reachable): AnonymousFailureAggregator {
  const a = api(server);
  const known = new Map<string, Known>();
  const problems: string[] = [];
  let [requests, lost, names] = [0, 0, 0];

  const any = (): Known | undefined => anyOf([...known.values()]);
  const asked = (what: string, { status, text }: Answer): void => {
    requests += 1;
    if (!USUAL.includes(status) && problems.length < 20)
      problems.push(`${what}: status ${status} ${text.slice(0, 200)}`);
  };

  async function upload(): Promise<void> {
    const content = newContent(
      oneOf([between(0, 2_000), between(0, 100_000), between(0, 2_000_000)]),
    );
    names += 1;
    const folder = `folder-${between(0, 10)}/${between(0, 10)}`;
    const file = filePart(`${names}.bin`, bytesOf(content));
    const answer = await a.upload([field("folder", folder), file]);
    asked("upload", answer);
    if (answer.status !== 200) return;
    const [stored] = JSON.parse(answer.text).data.files;
    known.set(stored.id, { id: stored.id, url: stored.url, content });
  }

  async function read(): Promise<void> {
    const file = any();
    if (file === undefined) return;
    const start = between(0, Math.max(1, file.content.size));
    const range = oneOf([undefined, `bytes=${start}-`, `bytes=${start}-${start + 500}`]);
    const answer = await send(
      server,
      "GET",
      `/${file.url}`,
      range === undefined ? {} : { Range: range },
    );
    // A range of an empty file is none.
    if (answer.status === 416 && file.content.size === 0) return;
    asked(`read ${range}`, answer);
    const isRight = isPartOf(file.content, answer.bytes, answer.status === 206 ? start : 0);
    if (answer.status < 300 && !isRight) lost += 1;
  }

  async function readAgain(): Promise<void> {
    const file = any();
    if (file === undefined) return;
    const path = `/${file.url}`;
    const etag = (await send(server, "HEAD", path)).header("etag");
    if (etag !== null)
      asked("read again", await send(server, "GET", path, { "If-None-Match": etag }));
  }

  async function readSigned(): Promise<void> {
    const file = any();
    if (file === undefined) return;
    const signed = await a.json("POST", "/api/files/sign", { id: file.id });
    asked("sign", signed);
    if (signed.status !== 200) return;
    asked("read signed", await send(server, "GET", `/${JSON.parse(signed.text).data.url}`));
  }

  async function list(): Promise<void> {
    const path = oneOf([
      "/api/files?limit=50",
      "/api/files?orderBy=size",
      "/api/folders",
      "/api/health",
    ]);
    asked("list", await a.get(path));
  }

  async function rename(): Promise<void> {
    const file = any();
    if (file === undefined) return;
    names += 1;
    const answer = await a.json("PUT", "/api/files", { id: file.id, name: `${names}.bin` });
    asked("rename", answer);
    if (answer.status === 200 && known.has(file.id))
      known.set(file.id, { ...file, url: JSON.parse(answer.text).data.file.url });
  }

  async function remove(): Promise<void> {
    const file = any();
    if (file === undefined) return;
    known.delete(file.id);
    asked("delete", await a.json("DELETE", "/api/files", { id: file.id }));
  }

  /** Goes away in the middle of a request or of its answer. */
  async function breakOff(): Promise<void> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    const start = oneOf([
      `GET /${any()?.url ?? ""} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST /api/files HTTP/1.1\r\nHost: x\r\nAPI-Key: ${server.apiKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="cut"\r\n\r\n`,
    ]);
    socket.write(start);
    if (start.startsWith("POST")) socket.write(Buffer.alloc(between(0, 800_000)));
    await Bun.sleep(between(0, 20));
    if (between(0, 2) === 0) socket.destroy();
    else socket.resetAndDestroy();
    await closed;
    requests += 1;
  }

  const acts = [
    upload,
    upload,
    read,
    read,
    read,
    readAgain,
    readSigned,
    list,
    rename,
    breakOff,
  ] as const;

  return {
    async work(atOnce, seconds) {
      const until = performance.now() + seconds * 1000;
      await inParallel(atOnce, atOnce, async () => {
        while (performance.now() < until) await (known.size > MANY ? remove() : oneOf([...acts])());
      });
    },
    get requests() {
      return requests;
    },
    get lost() {
      return lost;
    },
    problems,
  };
}
