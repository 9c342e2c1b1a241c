import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { api, send, unique } from "./client.ts";
import { eventually, expectFault, expectSecurityHeaders } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import {
  animateWebp,
  decode,
  encodeGif,
  encodeJpeg,
  encodePng,
  encodeWebp,
  type Pixel,
  pngChunk,
  pngOf,
  withExif,
} from "./image-encoders.ts";
import { field, filePart } from "./multipart.ts";
import { administrator, fromPage, signIn } from "./session.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const WEBP = { Accept: "image/avif,image/webp,*/*" };

/** A picture whose left half is red and whose right half is blue; the upper half is darker. */
const picture =
  (width: number, height: number) =>
  (x: number, y: number): Pixel => {
    const strength = y < height / 2 ? 100 : 250;
    return x < width / 2 ? [strength, 0, 0] : [0, 0, strength];
  };

const get = (url: string, headers: Record<string, string> = {}) =>
  send(server, "GET", `/${url}`, headers);
const put = (name: string, content: Uint8Array, visibility = "public") =>
  a.put(`${unique("images")}/${name}`, content, { visibility });
const photo = () => encodeJpeg(1000, 600, picture(1000, 600));

async function imageIn(response: HttpResponse) {
  expect(response.status).toBe(200);
  return decode(response.bytes);
}

const variants = (): string[] => {
  const folder = join(server.dataPath, "variants");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:webp|jpeg)$/.test(name),
  );
};

describe("?size=", () => {
  test.each([
    ["small", 320, 192],
    ["medium", 800, 480],
    ["large", 1000, 600],
  ])("%s fits into its size, and no image is enlarged", async (size, width, height) => {
    const file = await put("photo.jpg", await photo());
    const image = await imageIn(await get(`${file.url}?size=${size}`));
    expect([image.width, image.height]).toEqual([width, height]);
    const [red, , blue] = await image.at(width - 5, height - 5);
    expect(red).toBeLessThan(60);
    expect(blue).toBeGreaterThan(200);
  });

  test("is WebP for clients that name it, and JPEG for others", async () => {
    const file = await put("photo.jpg", await photo());
    const url = `${file.url}?size=small`;
    for (const [accept, type, extension] of [
      ["image/webp", "image/webp", "webp"],
      ["image/avif, image/WEBP;q=0.5, */*", "image/webp", "webp"],
      ["image/webp;q=0, image/*", "image/jpeg", "jpg"],
      ["*/*", "image/jpeg", "jpg"],
    ] as const) {
      const response = await get(url, { Accept: accept });
      expect(response.header("content-type")).toBe(type);
      expect(response.header("vary")).toBe("Accept");
      expect(response.header("content-disposition")).toContain(`photo.${extension}`);
      await imageIn(response);
    }
  });

  test("keeps transparency for clients without WebP", async () => {
    const file = await put(
      "logo.png",
      encodePng(600, 400, (x) => (x < 300 ? [0, 0, 0, 0] : [0, 200, 0])),
    );
    const response = await get(`${file.url}?size=small`, { Accept: "*/*" });
    expect(response.header("content-type")).toBe("image/png");
    const image = await imageIn(response);
    expect((await image.at(10, 10))[3]).toBe(0);
    expect((await image.at(310, 10))[3]).toBe(255);
  });

  test.each([
    ["PNG", "a.png", async () => encodePng(640, 480, picture(640, 480))],
    ["WebP", "a.webp", () => encodeWebp(640, 480, picture(640, 480))],
    ["GIF", "a.gif", async () => encodeGif(640, 480, [picture(640, 480)])],
    [
      "progressive JPEG",
      "a.jpg",
      async () => {
        const jpeg = await encodeJpeg(640, 480, picture(640, 480));
        return new Bun.Image(jpeg).jpeg({ progressive: true }).buffer();
      },
    ],
    ["image under a wrong name", "a.txt", async () => encodePng(640, 480, picture(640, 480))],
  ])("works for a %s", async (_, name, encode) => {
    const file = await put(name, await encode());
    const image = await imageIn(await get(`${file.url}?size=small`, WEBP));
    expect([image.width, image.height]).toEqual([320, 240]);
    const [above] = await image.at(20, 20);
    const [below] = await image.at(20, 220);
    expect(above).toBeLessThan(below);
  });

  test("sends an image as it is whose colors would change", async () => {
    const png = encodePng(500, 400, picture(500, 400));
    // Display P3.
    const coding = pngChunk("cICP", Buffer.of(12, 13, 0, 1));
    const wide = Buffer.concat([png.subarray(0, 33), coding, png.subarray(33)]);
    const file = await put("wide.png", wide);
    for (let time = 0; time < 2; time += 1) {
      const response = await get(`${file.url}?size=small`, WEBP);
      expect(response.status).toBe(200);
      expect(response.header("content-type")).toBe("image/png");
      expect(Buffer.from(response.bytes).equals(wide)).toBe(true);
    }
    const range = await get(`${file.url}?size=small`, { ...WEBP, Range: "bytes=1-3" });
    expect([range.status, Buffer.from(range.bytes).toString()]).toEqual([206, "PNG"]);
  });

  test("takes the first frame of an animation", async () => {
    const dark = (): Pixel => [20, 20, 20];
    const light = (): Pixel => [230, 230, 230];
    const gif = encodeGif(500, 500, [dark, light]);
    const stills = [await encodeWebp(500, 500, dark), await encodeWebp(500, 500, light)];
    const webp = animateWebp(500, 500, stills);
    for (const file of [await put("a.gif", gif), await put("a.webp", webp)]) {
      const image = await imageIn(await get(`${file.url}?size=small`, WEBP));
      expect(image.width).toBe(320);
      expect((await image.at(100, 100))[0]).toBeLessThan(60);
    }
  });

  // Where the corner that is at the upper left in the file ends up.
  test.each([
    [1, [320, 160], [5, 5]],
    [2, [320, 160], [315, 5]],
    [3, [320, 160], [315, 155]],
    [4, [320, 160], [5, 155]],
    [5, [160, 320], [5, 5]],
    [6, [160, 320], [155, 5]],
    [7, [160, 320], [155, 315]],
    [8, [160, 320], [5, 315]],
  ] as const)("applies EXIF orientation %d and drops EXIF", async (orientation, size, corner) => {
    const marked = await encodeJpeg(800, 400, (x, y) =>
      x < 400 && y < 200 ? [250, 250, 250] : [10, 10, 10],
    );
    const secret = "GPS 47.3769 N, 8.5417 E";
    const file = await put("a.jpg", withExif(marked, orientation, secret));
    for (const accept of ["image/webp", "image/jpeg"]) {
      const response = await get(`${file.url}?size=small`, { Accept: accept });
      const text = Buffer.from(response.bytes).toString("latin1");
      expect(text).not.toContain("GPS");
      expect(text).not.toContain("Exif");
      const image = await imageIn(response);
      expect([image.width, image.height]).toEqual([...size]);
      expect((await image.at(corner[0], corner[1]))[0]).toBeGreaterThan(200);
    }
  });

  test("conditions, ranges and HEAD are those of the smaller image", async () => {
    const file = await put("photo.jpg", await photo());
    const url = `${file.url}?size=small`;
    const whole = await get(url, WEBP);
    expectSecurityHeaders(whole);
    const tag = whole.header("etag") ?? "";
    expect(tag).not.toBe((await get(file.url)).header("etag"));
    expect(tag).not.toBe((await get(url, { Accept: "image/jpeg" })).header("etag"));
    expect(whole.header("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(whole.header("content-length")).toBe(String(whole.bytes.length));

    const unchanged = await get(url, { ...WEBP, "If-None-Match": tag });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    expect(unchanged.header("vary")).toBe("Accept");
    const part = await get(url, { ...WEBP, Range: "bytes=10-19" });
    expect([part.status, part.header("content-range")]).toEqual([
      206,
      `bytes 10-19/${whole.bytes.length}`,
    ]);
    expect(part.bytes).toEqual(whole.bytes.slice(10, 20));
    const other = await get(url, { ...WEBP, Range: "bytes=10-19", "If-Range": '"other"' });
    expect(other.bytes).toEqual(whole.bytes);
    expectFault(await get(url, { ...WEBP, Range: "bytes=9999999-" }), 416);
    expectFault(await get(url, { ...WEBP, "If-Match": '"other"' }), 412);
    const head = await send(server, "HEAD", `/${url}`, WEBP);
    expect([head.status, head.header("etag")]).toEqual([200, tag]);
    expect(head.header("content-length")).toBe(String(whole.bytes.length));
    const saved = await get(`${url}&download=1`, WEBP);
    expect(saved.header("content-disposition")).toStartWith("attachment");
  });

  test("is made once, and again when it is lost", async () => {
    const file = await put("photo.jpg", await photo());
    const before = variants().length;
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => get(`${file.url}?size=small`, WEBP)),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(variants()).toHaveLength(before + 1);
    rmSync(join(server.dataPath, "variants"), { recursive: true });
    const again = await get(`${file.url}?size=small`, WEBP);
    expect(again.bytes).toEqual(responses[0]?.bytes ?? new Uint8Array());
  });

  test("follows the settings at once", async () => {
    const file = await put("photo.jpg", await photo());
    expect((await imageIn(await get(`${file.url}?size=small`, WEBP))).width).toBe(320);
    await a.json("PUT", "/api/settings", { smallImageSize: 200 });
    expect((await imageIn(await get(`${file.url}?size=small`, WEBP))).width).toBe(200);
    await a.json("PUT", "/api/settings", { smallImageSize: null });
    expect((await imageIn(await get(`${file.url}?size=small`, WEBP))).width).toBe(320);
    expectFault(await a.json("PUT", "/api/settings", { smallImageSize: 15 }), 400);
    expectFault(await a.json("PUT", "/api/settings", { imageQuality: 101 }), 400);
  });

  test("follows the file: replaced, renamed, deleted", async () => {
    const file = await put("photo.jpg", await photo());
    await get(`${file.url}?size=small`, WEBP);
    const kept = variants().length;
    const folder = file.key.slice(0, file.key.lastIndexOf("/"));
    const square = encodePng(400, 400, () => [0, 250, 0]);
    const replaced = await a.upload([
      field("folder", folder),
      field("onConflict", "replace"),
      filePart("photo.jpg", new Uint8Array(square)),
    ]);
    expect(replaced.status).toBe(200);
    const image = await imageIn(await get(`${file.url}?size=small`, WEBP));
    expect([image.width, image.height]).toEqual([320, 320]);
    // The smaller size of the old content goes with it.
    await eventually("the old size is gone", () => variants().length === kept);
    await a.json("DELETE", "/api/files", { id: file.id });
    expectFault(await get(`${file.url}?size=small`, WEBP), 404);
    await eventually("the last size is gone", () => variants().length === kept - 1);
  });

  test("the metadata for caches applies to it, the other metadata does not", async () => {
    const file = await put("photo.jpg", await photo());
    const metadata = {
      cacheControl: "public, max-age=600",
      contentDisposition: 'inline; filename="other.jpg"',
      "x-note": "n",
    };
    expect((await a.json("PUT", "/api/files", { id: file.id, metadata })).status).toBe(200);
    const response = await get(`${file.url}?size=small`, WEBP);
    expect(response.header("cache-control")).toBe("public, max-age=600");
    expect(response.header("content-disposition")).toContain("photo.webp");
    expect(response.header("x-note")).toBeNull();
  });
});

describe("a private image", () => {
  test("is served in smaller sizes only to those who may read it", async () => {
    const file = await put("photo.jpg", await photo(), "private");
    const url = `${file.url}?size=small`;
    const missing = await get(`api/hosting/${unique("none")}?size=small`);
    const hidden = await get(url);
    expect([hidden.status, hidden.text]).toEqual([missing.status, missing.text]);
    const shown = await a.get(`/${url}`, WEBP);
    expect((await imageIn(shown)).width).toBe(320);
    expect(shown.header("cache-control")).toBe("private, no-store");
    expect(shown.header("etag")).toBeNull();
    expectFault(await get(url), 404);

    const signed = await a.json("POST", "/api/files/sign", { id: file.id });
    const { data } = JSON.parse(signed.text);
    expect((await imageIn(await get(`${data.url}&size=medium`, WEBP))).width).toBe(800);
    expectFault(await get(`${data.url}x&size=medium`, WEBP), 404);
  });
});

describe("a request that cannot be met", async () => {
  test.each(["huge", "", "320", "SMALL", "small&size=small"])("size=%s is 400", async (size) => {
    const file = await put("photo.jpg", await photo());
    const refused = await get(`${file.url}?size=${size}`);
    expect(expectFault(refused, 400)).toContain("small, medium, large");
    expect((await get(`api/hosting/none?size=${size}`)).text).toBe(refused.text);
  });

  test.each([
    ["a text", "a.jpg", Buffer.from("not an image")],
    ["an empty file", "a.jpg", Buffer.alloc(0)],
    ["SVG", "a.svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a PDF that is named an image", "a.png", Buffer.from("%PDF-1.7\n")],
  ])("%s is 415", async (_, name, content) => {
    const file = await put(name, content);
    expect(expectFault(await get(`${file.url}?size=small`), 415)).toContain("JPEG, PNG, WebP");
    expect((await get(file.url)).status).toBe(200);
  });

  const jpeg = await photo();
  const png = encodePng(50, 50, picture(50, 50));
  const claims = (width: number, height: number) => {
    const claiming = Buffer.from(png);
    claiming.writeUInt32BE(width, 16);
    claiming.writeUInt32BE(height, 20);
    return claiming;
  };
  const gifScreen = Buffer.from(encodeGif(10, 10, [() => [1, 1, 1]]));
  gifScreen.writeUInt32LE(0xffff_ffff, 6);
  test.each([
    ["a JPEG that ends in its header", jpeg.subarray(0, 200)],
    ["a PNG without its end", png.subarray(0, 60)],
    ["a PNG with a wrong checksum", Buffer.from(png).fill(0, 50, 60)],
    ["a PNG that claims 10 gigapixels", claims(100_000, 100_000)],
    ["a PNG that claims all pixels", claims(0xffff_ffff, 0xffff_ffff)],
    ["a PNG with more lines than data", claims(50, 5000)],
    ["a GIF that claims 4 gigapixels", gifScreen],
    ["a GIF without data", encodeGif(10, 10, [() => [1, 1, 1]]).subarray(0, 398)],
    ["a WebP without data", (await encodeWebp(50, 50, picture(50, 50))).subarray(0, 60)],
    ["an animation without frames", animateWebp(50, 50, [])],
    ["an animation with damaged frames", animateWebp(50, 50, [Buffer.alloc(300, 7)])],
    ["a deflate bomb", pngOf(7000, 8000, Buffer.alloc(1_000_000), { colorType: 2 })],
  ])("%s is 422", async (_, content) => {
    const file = await put("image", content);
    const message = expectFault(await get(`${file.url}?size=small`, WEBP), 422);
    expect(message).toMatch(/damaged|too large|too much/);
    expect(expectFault(await get(`${file.url}?size=large`), 422)).toBe(message);
  });

  test("a PNG that inflates to far more than its pixels costs the child, not the server", async () => {
    const bomb = pngOf(100, 100, Buffer.alloc(200_000_000), { colorType: 2 });
    const file = await put("bomb.png", bomb);
    const response = await get(`${file.url}?size=small`, WEBP);
    expect([200, 422]).toContain(response.status);
    const fine = await put("photo.jpg", jpeg);
    expect((await imageIn(await get(`${fine.url}?size=small`, WEBP))).width).toBe(320);
  });

  test("an endless animation gives its first frame", async () => {
    const frames = Array.from({ length: 500 }, (_, grey) => (): Pixel => [grey % 256, 0, 0]);
    const gif = encodeGif(60, 60, frames);
    const file = await put("endless.gif", gif.subarray(0, gif.length - 1));
    const image = await imageIn(await get(`${file.url}?size=small`, WEBP));
    expect(image.width).toBe(60);
  });

  test("a server without space for smaller sizes makes none", async () => {
    const without = await startServer({ IMAGE_SPACE: "0" });
    const file = await api(without).put("photo.jpg", jpeg);
    const refused = await send(without, "GET", `/${file.url}?size=small`);
    expect(expectFault(refused, 400)).toContain("IMAGE_SPACE");
    expect(existsSync(join(without.dataPath, "variants"))).toBe(false);
    await without.discard();
  });
});

test("what the dashboard shows is not counted as traffic", async () => {
  const cookie = await signIn(server);
  const file = await put("photo.jpg", await photo());
  const traffic = async () => {
    const { data } = JSON.parse((await a.get("/api/overview")).text);
    const hours: { requests: number; bytes: number; errors: number }[] = data.traffic;
    const sum = (of: "requests" | "bytes" | "errors") =>
      hours.reduce((total, hour) => total + hour[of], 0);
    return { requests: sum("requests"), bytes: sum("bytes"), errors: sum("errors") };
  };
  const before = await traffic();
  for (const url of [`${file.url}?size=small`, file.url]) {
    expect((await get(url, { Cookie: cookie })).status).toBe(200);
  }
  expect((await fromPage(server, "GET", `/${file.url}?size=nothing`, cookie)).status).toBe(400);
  const response = await get(`${file.url}?size=small`);
  const expected = {
    requests: before.requests + 1,
    bytes: before.bytes + response.bytes.length,
    errors: before.errors,
  };
  await eventually("the other request is counted", async () =>
    Bun.deepEquals(await traffic(), expected),
  );
});
