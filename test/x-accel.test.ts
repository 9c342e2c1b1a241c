import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { api, type HeaderPairs, send } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { hasNginx, type Nginx, startNginx } from "./nginx.ts";
import { signedData } from "./shapes.ts";

/** The configuration of the documentation, for this server. */
function nginxLines(server: TestServer): string {
  const path = fileURLToPath(new URL("../deploy/nginx-x-accel.conf", import.meta.url));
  const location = readFileSync(path, "utf8").replace(
    "/var/lib/holdall/blobs/",
    `${server.dataPath}/blobs/`,
  );
  return `
    ${location}
    location / {
      proxy_pass http://127.0.0.1:${server.port};
      proxy_set_header Host $host;
    }`;
}

interface Wanted {
  readonly method?: string;
  readonly path: string;
  readonly headers?: HeaderPairs;
}

describe.skipIf(!hasNginx)("delivery through nginx with X-Accel-Redirect", () => {
  let server: TestServer;
  let nginx: Nginx;
  let blobPath: string;
  const wanted = new Map<string, Wanted>();
  const streamed = new Map<string, HttpResponse>();

  const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));

  beforeAll(async () => {
    server = await startServer();
    const a = api(server);
    const shown = await a.put("a b/shown.html", content);
    const hidden = await a.put("hidden.bin", content, { visibility: "private" });
    const empty = await a.put("empty.txt", "");
    const signed = expectData(
      await a.json("POST", "/api/files/sign", { id: hidden.id }),
      signedData,
    );
    const etag = (await send(server, "GET", `/${shown.url}`)).header("etag") ?? "";
    const modified = (await send(server, "GET", `/${shown.url}`)).header("last-modified") ?? "";
    const key = { "API-Key": server.apiKey };
    const of = (path: string, headers: HeaderPairs = {}, method = "GET") => ({
      path,
      headers,
      method,
    });

    const cached = await a.put("cached.txt", content);
    const described = await a.put("described.txt", content);
    const metadata = { cacheControl: "no-cache", contentDisposition: "attachment" };
    await a.json("PUT", "/api/files", { id: cached.id, metadata });
    const more = { ...metadata, contentLanguage: "de", "x-author": "Ada" };
    await a.json("PUT", "/api/files", { id: described.id, metadata: more });
    const want = { ...key, "Want-Repr-Digest": "sha-256=1" };

    wanted.set("a public file", of(`/${shown.url}`));
    wanted.set("a file with cache headers", of(`/${cached.url}`));
    wanted.set("a file with other headers", of(`/${described.url}`));
    wanted.set("a part of it", of(`/${described.url}`, { Range: "bytes=0-9" }));
    wanted.set("a private file with its digest", of(`/${hidden.url}`, want));
    wanted.set("its head", of(`/${shown.url}`, {}, "HEAD"));
    wanted.set("a public file to keep", of(`/${shown.url}?download=1`));
    wanted.set("an empty file", of(`/${empty.url}`));
    wanted.set("a missing file", of("/api/hosting/nothing"));
    wanted.set("a private file without credentials", of(`/${hidden.url}`));
    wanted.set("a private file by key", of(`/${hidden.url}`, key));
    wanted.set("a private file by signature", of(`/${signed.url}`));
    wanted.set("a private file's head", of(`/${signed.url}`, {}, "HEAD"));
    wanted.set("a forged signature", of(`/${signed.url}0`));
    wanted.set("a download", of(`/api/files/download/${hidden.id}`, key));
    wanted.set("a download without credentials", of(`/api/files/download/${hidden.id}`));
    const ranges = [
      ...["bytes=0-9", "bytes=10-", "bytes=-7", "bytes=-999999", "bytes=0-999999", "bytes=0-"],
      ...["bytes=199999-199999", "bytes=200000-", "bytes=-0", "bytes=5-1", "bytes=0-1,4-5"],
      ...["bytes=a-b", "lines=1-2", "bytes= 0-9", "BYTES=0-9", "bytes=0-99999999999999999999"],
    ];
    for (const range of ranges) {
      wanted.set(`${range} of a public file`, of(`/${shown.url}`, { Range: range }));
      wanted.set(`${range} of a private file`, of(`/${signed.url}`, { Range: range }));
      wanted.set(`${range} of a head`, of(`/${shown.url}`, { Range: range }, "HEAD"));
    }
    const conditions: HeaderPairs[] = [
      { "If-None-Match": etag },
      { "If-None-Match": '"another"' },
      { "If-None-Match": "*" },
      { "If-Modified-Since": modified },
      { "If-Modified-Since": "Mon, 01 Jan 2001 00:00:00 GMT" },
      { "If-Match": '"another"' },
      { "If-Range": etag, Range: "bytes=3-5" },
      { "If-Range": '"another"', Range: "bytes=3-5" },
      { "If-Range": modified, Range: "bytes=3-5" },
    ];
    for (const headers of conditions) {
      wanted.set(`${JSON.stringify(headers)} of a public file`, of(`/${shown.url}`, headers));
      wanted.set(`${JSON.stringify(headers)} of a private file`, of(`/${signed.url}`, headers));
    }
    for (const [what, each] of wanted) streamed.set(what, await answerTo(server.url, each));

    await server.restart({ DELIVERY: "x-accel" });
    nginx = await startNginx(nginxLines(server));
    const blobs = join(server.dataPath, "blobs");
    const [block = ""] = readdirSync(blobs);
    const [blob = ""] = readdirSync(join(blobs, block));
    blobPath = `${block}/${blob}`;
  });
  afterAll(async () => {
    await nginx.stop();
    await server.discard();
  });

  const answerTo = (
    url: string,
    { method = "GET", path, headers }: Wanted,
  ): Promise<HttpResponse> =>
    send({ url, apiKey: "" }, method, path, { "Accept-Encoding": "identity", ...headers });

  /** Headers that differ between connections and times. */
  const HOPS = new Set([
    "date",
    "x-request-id",
    "server",
    "connection",
    "keep-alive",
    "transfer-encoding",
  ]);

  const comparable = (answer: HttpResponse) => ({
    status: answer.status,
    headers: answer.headers
      .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
      .filter((line) => !HOPS.has(line.split(":")[0] ?? ""))
      .sort(),
    bytes: Bun.hash(answer.bytes),
  });

  describe("every response is the same as without nginx", () => {
    test("in status, headers and bytes", async () => {
      for (const [what, each] of wanted) {
        const before = streamed.get(what);
        if (before === undefined) throw new Error(`No answer to compare: ${what}`);
        const answer = await answerTo(nginx.url, each);
        expect([what, comparable(answer)]).toEqual([what, comparable(before)]);
      }
    });

    test("and nginx sends the bytes", async () => {
      for (const what of [
        "a public file",
        "a private file by signature",
        "bytes=10- of a public file",
        "a file with cache headers",
      ]) {
        const each = wanted.get(what);
        if (each === undefined) throw new Error(`Not asked for: ${what}`);
        const own = await answerTo(server.url, each);
        expect(own.header("x-accel-redirect")).toMatch(
          /^\/holdall-blobs\/[0-9a-f]{11}\/[0-9a-f]{2}$/,
        );
        expect(own.bytes.length).toBe(0);
      }
    });
  });

  test("the internal location is not reachable from outside", async () => {
    for (const path of ["", blobPath, `./${blobPath}`, `%2e/${blobPath}`]) {
      const answer = await send({ url: nginx.url, apiKey: "" }, "GET", `/holdall-blobs/${path}`);
      expect(answer.status).toBe(404);
      expect(answer.bytes.length).toBeLessThan(1000);
    }
  });

  test("DELIVERY=x-sendfile sends the path of the file", async () => {
    await server.restart({ DELIVERY: "x-sendfile" });
    const each = wanted.get("a public file");
    const own = await answerTo(server.url, each ?? { path: "/" });
    expect(readFileSync(own.header("x-sendfile") ?? "")).toEqual(content);
    expect(own.bytes.length).toBe(0);
  });
});
