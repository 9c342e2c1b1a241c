import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send, unique } from "./client.ts";
import { workersOf } from "./each-worker.ts";
import { eventually, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { decode, encodeJpeg, encodePng, pngOf } from "./image-encoders.ts";
import { s3Environment } from "./s3-environment.ts";

const photo = () => encodeJpeg(800, 400, (x) => [x % 256, 80, 120]);

const variantsOf = ({ dataPath }: TestServer): string[] => {
  const folder = join(dataPath, "variants");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".webp"),
  );
};

const small = (server: TestServer, url: string) =>
  send(server, "GET", `/${url}?size=small`, { Accept: "image/webp" });

describe.skipIf(!hasS3Server)("two instances with one database and one bucket", () => {
  const servers: TestServer[] = [];
  beforeAll(async () => {
    const env = {
      DATABASE_URL: await (await postgresServer()).fresh(),
      ...s3Environment(await (await s3Server()).fresh()),
      AUTH_SECRET: "of-both-servers-together-3f8c1b7e94d2",
    };
    servers.push(await startServer(env), await startServer(env));
  });
  afterAll(async () => {
    for (const server of servers) await server.discard();
  });

  test("each make and keep smaller sizes, of large and of small files", async () => {
    const [one, other] = servers;
    if (one === undefined || other === undefined) throw new Error("No servers.");
    const large = encodePng(400, 400, (x, y) => [(x * y) % 256, (x * 7919) % 251, y % 256]);
    expect(large.length).toBeGreaterThan(64 * 1024);
    for (const content of [await photo(), large]) {
      const file = await api(one).put(`${unique("photo")}.jpg`, new Uint8Array(content));
      const responses = [await small(one, file.url), await small(other, file.url)];
      for (const response of responses) {
        expect(response.status).toBe(200);
        expect((await decode(response.bytes)).width).toBe(320);
      }
      expect(responses[0]?.header("etag")).toBe(responses[1]?.header("etag") ?? "");
      for (const server of servers) expect(variantsOf(server)).toHaveLength(1);
      await api(other).json("DELETE", "/api/files", { id: file.id });
      for (const server of servers) expectFault(await small(server, file.url), 404);
      await eventually("it is removed with the file", () => variantsOf(other).length === 0);
      // The first server finds out when it compares its variants with the catalog, at the next start.
      await one.restart();
      await eventually("the other copy is removed", () => variantsOf(one).length === 0);
    }
  });
});

describe.skipIf(process.platform !== "linux")("a server of which images ask much", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ RATE_LIMIT_HOSTING: "0", WORKERS: "1" });
  });
  afterAll(() => server.discard());

  const heavy = async (count: number): Promise<string[]> => {
    const urls: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const image = pngOf(3000, 2000 + at, Buffer.alloc(3001 * 3 * (2000 + at)), { colorType: 2 });
      urls.push((await api(server).put(`${unique("heavy")}.png`, image)).url);
    }
    return urls;
  };

  test("makes an image again whose process is killed", async () => {
    const [url = "", second = ""] = await heavy(2);
    const response = small(server, url);
    await eventually("a process has started", () => workersOf(server).length > 0);
    for (const pid of workersOf(server)) process.kill(pid, "SIGKILL");
    expect((await response).status).toBe(200);
    expect((await small(server, second)).status).toBe(200);
  });

  test("refuses with 503 when too many wait, and recovers", async () => {
    const file = await api(server).put("photo.jpg", new Uint8Array(await photo()));
    // More than there are processes, so that the others wait.
    const first = await heavy(8);
    const copies: string[] = [];
    for (let at = 0; at < 230; at += 1) {
      const image = pngOf(64, 64, Buffer.alloc(64 * (64 * 3 + 1), at), { colorType: 2 });
      copies.push((await api(server).put(`many/${at}.png`, image)).url);
    }
    const responses = await Promise.all([...first, ...copies].map((url) => small(server, url)));
    const refused = responses.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) expect(response.header("retry-after")).toBe("2");
    expect(
      responses.every(({ status }) => status === 200 || status === 503 || status === 422),
    ).toBe(true);
    expect((await small(server, file.url)).status).toBe(200);
  });

  test("drops images whose requests were cancelled", async () => {
    const urls = await heavy(12);
    const before = variantsOf(server).length;
    const leaving = new AbortController();
    const gone = urls.map((url) =>
      fetch(`${server.url}/${url}?size=medium`, { signal: leaving.signal }).catch(() => "gone"),
    );
    await eventually("a process works", () => workersOf(server).length > 0);
    leaving.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set(["gone"]));
    const file = await api(server).put("after.jpg", new Uint8Array(await photo()));
    expect((await small(server, file.url)).status).toBe(200);
    expect(variantsOf(server).length).toBeLessThan(before + urls.length);
  });

  test("survives images with damaged bytes", async () => {
    const originals = [
      await photo(),
      encodePng(200, 200, (x, y) => [x, y, 9]),
      await new Bun.Image(await photo()).webp({ quality: 70 }).buffer(),
      await new Bun.Image(await photo()).jpeg({ progressive: true }).buffer(),
    ];
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (seed >> 8) % below;
    };
    for (let times = 0; times < 60; times += 1) {
      const damaged = Buffer.from(originals[times % originals.length] ?? []);
      for (let flips = 0; flips <= times % 7; flips += 1) {
        damaged[random(damaged.length)] = random(256);
      }
      const file = await api(server).put(`${unique("damaged")}.jpg`, new Uint8Array(damaged));
      const { status } = await small(server, file.url);
      expect([200, 415, 422]).toContain(status);
    }
  });
});
