import { afterAll, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { EMPTY_IMAGES, HOSTILE_IMAGES, HUGE_IMAGES } from "./hostile-images.ts";
import type { HttpResponse } from "./http-response.ts";
import { encodePng } from "./image-encoders.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const sized = (url: string) => send(server, "GET", `/${url}?size=small`, { Accept: "image/webp" });

/** Requests a smaller size, and sends other requests before that is answered. Returns the first response. */
async function examine(content: Buffer): Promise<HttpResponse> {
  const hostile = await a.put(`${unique("hostile")}/image`, content);
  const dot = encodePng(8, 8, () => [9, 9, 9]);
  const fine = await a.put(`${unique("fine")}/image.png`, dot);
  const examined = sized(hostile.url);
  expect((await a.get("/api/files")).status).toBe(200);
  expect((await send(server, "GET", `/${fine.url}`)).status).toBe(200);
  const response = await examined;
  if (response.status !== 200) expectFault(response, response.status);
  expect((await sized(fine.url)).status).toBe(200);
  // The file itself is served.
  expect((await send(server, "GET", `/${hostile.url}`)).bytes.length).toBe(content.length);
  return response;
}

test.each(HUGE_IMAGES)(
  "%s is refused as too large, and other requests succeed",
  async (_, content) => {
    expect(expectFault(await examine(content), 422)).toContain("too large");
  },
);

test.each(HOSTILE_IMAGES)("%s is refused, and other requests succeed", async (_, content) => {
  expect([415, 422]).toContain((await examine(content)).status);
});

test.each(EMPTY_IMAGES)(
  "%s is shown or refused, and other requests succeed",
  async (_, content) => {
    expect([200, 422]).toContain((await examine(content)).status);
  },
);
