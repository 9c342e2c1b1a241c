import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { hasNginx, startNginx } from "./nginx.ts";
import { isOnDisk } from "./test-stores.ts";
import { hasVarnish, startVarnish } from "./varnish.ts";

const server = await startServer({ RATE_LIMIT_HOSTING: "0" });
afterAll(() => server.discard());

const LASTING = "public, max-age=31536000, immutable";

/** Files on a server, and requests for them through a proxy. */
function through(target: TestServer, proxy: { readonly url: string }) {
  const a = api(target);
  const lastingUrlOf = async (id: string): Promise<string> => {
    const { text } = await a.get(`/api/files?id=${id}&include=lastingUrl`);
    return JSON.parse(text).data.file.lastingUrl;
  };
  return {
    a,
    lastingUrlOf,
    get: (path: string, headers: HeaderPairs = {}) =>
      send({ url: proxy.url, apiKey: "" }, "GET", `/${path}`, headers),
    async newFile(content = "0123456789") {
      const file = await a.put(`lasting/${unique("v")}.txt`, content);
      return {
        file,
        url: await lastingUrlOf(file.id),
        outdated: `${file.url}?v=${"0".repeat(16)}`,
      };
    },
    replace: (key: string, content: string) =>
      send(target, "PUT", `/api/files/content?key=${key}`, { "API-Key": target.apiKey }, content),
  };
}

const caches = [
  {
    name: "nginx",
    isHere: hasNginx,
    // It always asks for a whole file, without conditions, because it may be one to cache.
    passesConditions: false,
    start: () =>
      startNginx(
        `location / {
          proxy_pass http://127.0.0.1:${server.port};
          proxy_cache files; proxy_cache_key $uri$is_args$args;
          add_header X-Cache $upstream_cache_status always;
        }`,
        "proxy_cache_path cache keys_zone=files:1m;",
      ),
  },
  {
    name: "Varnish",
    isHere: hasVarnish,
    passesConditions: true,
    start: () => startVarnish(server),
  },
];

describe.each(caches)("the cache of $name", ({ isHere, passesConditions, start }) => {
  const run = async (work: (cache: ReturnType<typeof through>) => Promise<void>) => {
    const proxy = await start();
    try {
      await work(through(server, proxy));
    } finally {
      await proxy.stop();
    }
  };

  test.skipIf(!isHere)("keeps a lasting URL, and asks each time for any other", () =>
    run(async ({ get, newFile, replace, lastingUrlOf }) => {
      const ask = async (path: string) => {
        const { status, header, text } = await get(path);
        return [status, header("x-cache"), text];
      };
      const { file, url, outdated } = await newFile("one");
      expect(await ask(url)).toEqual([200, "MISS", "one"]);
      await eventually("it is cached", async () => (await ask(url))[1] === "HIT");
      await replace(file.key, "two");
      // For a year: who has the old URL has the old content.
      expect(await ask(url)).toEqual([200, "HIT", "one"]);
      const current = await lastingUrlOf(file.id);
      expect(current).not.toBe(url);
      expect(await ask(current)).toEqual([200, "MISS", "two"]);
      for (let times = 0; times < 3; times += 1) {
        expect((await ask(outdated)).slice(0, 2)).toEqual([302, "MISS"]);
        const plain = await ask(file.url);
        expect([plain[0], plain[2]]).toEqual([200, "two"]);
        expect(plain[1]).not.toBe("HIT");
      }
    }),
  );

  test.skipIf(!isHere)("answers ranges and conditions, before and after it has the file", () =>
    run(async ({ get, newFile }) => {
      const { file, url } = await newFile();
      const whole = await send(server, "GET", `/${url}`);
      const etag = whole.header("etag") ?? "";
      const expectAnswers = async (path: string) => {
        const part = await get(path, { Range: "bytes=2-4" });
        expect([part.status, part.text]).toEqual([206, "234"]);
        expect(part.header("content-range")).toBe("bytes 2-4/10");
        const end = await get(path, { Range: "bytes=-3" });
        expect([end.status, end.text]).toEqual([206, "789"]);
        const beyond = await get(path, { Range: "bytes=10-" });
        expect([beyond.status, beyond.header("content-range")]).toEqual([416, "bytes */10"]);
        const same = await get(path, { "If-None-Match": etag });
        expect([same.status, same.text]).toEqual([304, ""]);
        const other = await get(path, { "If-None-Match": '"other"' });
        expect([other.status, other.text]).toEqual([200, "0123456789"]);
      };
      await expectAnswers(url);
      await eventually("it is cached", async () => (await get(url)).header("x-cache") === "HIT");
      await expectAnswers(url);
      const part = await get(url, { Range: "bytes=0-0" });
      expect([part.header("x-cache"), part.header("cache-control")]).toEqual(["HIT", LASTING]);
      const plain = await get(file.url, { Range: "bytes=2-4" });
      expect([plain.status, plain.text]).toEqual(
        passesConditions ? [206, "234"] : [200, "0123456789"],
      );
      const same = await get(file.url, { "If-None-Match": etag });
      expect(same.status).toBe(passesConditions ? 304 : 200);
    }),
  );

  test.skipIf(!isHere)("never has a private file, whatever its v", () =>
    run(async ({ a, get, newFile }) => {
      const { file, url, outdated } = await newFile();
      await a.json("PUT", "/api/files", { id: file.id, visibility: "private" });
      for (const path of [url, outdated, file.url]) {
        const allowed = await get(path, { "API-Key": server.apiKey });
        expect([allowed.status, allowed.text]).toEqual([200, "0123456789"]);
        expect((await get(path)).status).toBe(404);
      }
    }),
  );
});

describe.skipIf(!hasNginx || !isOnDisk)("delivery by nginx with X-Accel-Redirect", () => {
  test("sends lasting URLs, ranges and conditions, and redirects an outdated v", async () => {
    const own = await startServer({ DELIVERY: "x-accel" });
    const path = new URL("../deploy/nginx-x-accel.conf", import.meta.url);
    const blobs = readFileSync(path, "utf8").replace(
      "/var/lib/holdall/blobs/",
      `${own.dataPath}/blobs/`,
    );
    const nginx = await startNginx(
      `${blobs} location / { proxy_pass http://127.0.0.1:${own.port}; proxy_set_header Host $host; }`,
    );
    try {
      const { get, newFile, replace, lastingUrlOf } = through(own, nginx);
      const { file, url, outdated } = await newFile();
      const expectContent = async (at: string, content: string) => {
        const whole = await get(at);
        expect([whole.status, whole.text]).toEqual([200, content]);
        expect(whole.header("cache-control")).toBe(LASTING);
        const part = await get(at, { Range: "bytes=1-2" });
        expect([part.status, part.text]).toEqual([206, content.slice(1, 3)]);
        expect(part.header("cache-control")).toBe(LASTING);
        const same = await get(at, { "If-None-Match": whole.header("etag") ?? "" });
        expect([same.status, same.header("cache-control")]).toEqual([304, LASTING]);
      };
      await expectContent(url, "0123456789");
      await replace(file.key, "abcdefghij");
      const current = await lastingUrlOf(file.id);
      await expectContent(current, "abcdefghij");
      for (const old of [url, outdated]) {
        for (const headers of [{}, { Range: "bytes=1-2" }]) {
          const answer = await get(old, headers);
          expect([answer.status, answer.header("cache-control")]).toEqual([302, "no-store"]);
          const location = new URL(answer.header("location") ?? "", `${nginx.url}/${old}`);
          expect(location.href).toBe(`${nginx.url}/${current}`);
        }
      }
    } finally {
      await nginx.stop();
      await own.discard();
    }
  });
});
