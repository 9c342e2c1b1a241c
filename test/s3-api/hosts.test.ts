import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api } from "../client.ts";
import { expectData } from "../expectations.ts";
import { rawRequest } from "../raw.ts";
import { startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, type Draft, presign, signHeader } from "./sign-request.ts";

const PUBLIC = "files.example.com";
const DOMAIN = "s3.example.com";
const server = await startS3Server({ PUBLIC_URL: `https://${PUBLIC}`, S3_API_DOMAIN: DOMAIN });
afterAll(() => server.discard());

await api(server).put("vault/inner/secret.txt", "in the vault", { visibility: "private" });
await api(server).put("inner/secret.txt", "inner", { visibility: "private" });
await api(server).put("vault/public.txt", "public");

const trafficData = z.object({ traffic: z.array(z.object({ errors: z.int() })) });

const get = (host: string, path: string): Draft => ({
  method: "GET",
  path,
  query: "",
  headers: { host },
  body: Buffer.alloc(0),
});
const send = (draft: Draft) => rawRequest(server.port, bytesOf(draft));
const through = (host: string, draft: Draft): Draft => ({
  ...draft,
  headers: { ...draft.headers, host },
});
const signs = [signHeader, presign];

describe("the host of a request", () => {
  test.each(signs)("may be that of the public URL before a proxy: %p", async (sign) => {
    const draft = sign(get(PUBLIC, "/inner/secret.txt"), server.credentials);
    for (const host of [PUBLIC, "127.0.0.1", "localhost:3000"]) {
      expect((await send(through(host, draft))).text).toBe("inner");
    }
  });

  test.each(signs)("may name the bucket: %p", async (sign) => {
    const draft = get(`vault.${DOMAIN}`, "/inner/secret.txt");
    expect((await send(sign(draft, server.credentials))).text).toBe("in the vault");
    const pathStyle = get(DOMAIN, "/vault/inner/secret.txt");
    expect((await send(sign(pathStyle, server.credentials))).text).toBe("in the vault");
  });

  test.each(signs)("cannot be changed to another bucket: %p", async (sign) => {
    for (const signed of [PUBLIC, DOMAIN, `other.${DOMAIN}`, `vault.${DOMAIN}:8443`]) {
      const draft = sign(get(signed, "/inner/secret.txt"), server.credentials);
      const { status, text } = await send(through(`vault.${DOMAIN}`, draft));
      expect([signed, status]).toEqual([signed, 403]);
      expect(text).toContain("<Code>SignatureDoesNotMatch</Code>");
    }
  });

  test("of the S3 API gives anonymous clients public objects only", async () => {
    expect((await send(get(`vault.${DOMAIN}`, "/public.txt"))).text).toBe("public");
    for (const path of ["/inner/secret.txt", "/missing.txt", "/", "/api/health", "/docs"]) {
      const { status, text } = await send(get(`vault.${DOMAIN}`, path));
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain("<Code>AccessDenied</Code>");
    }
  });

  test("of the S3 API: reads of objects that are refused count as errors", async () => {
    const errors = async () => {
      const { traffic } = expectData(await api(server).get("/api/overview"), trafficData);
      return traffic.reduce((sum, hour) => sum + hour.errors, 0);
    };
    const before = await errors();
    const host = `vault.${DOMAIN}`;
    await send(get(host, "/inner/secret.txt"));
    await send({ ...get(host, "/public.txt"), headers: { host, range: "bytes=99-" } });
    const forged = signHeader(get(host, "/public.txt"), {
      ...server.credentials,
      secretAccessKey: "wrong",
    });
    expect((await send(forged)).status).toBe(403);
    // Neither an object nor an error.
    await send(get(host, "/"));
    // Something else of the object than its content.
    for (const query of ["acl", "tagging", "torrent"]) {
      await send({ ...get(host, "/inner/secret.txt"), query });
      const signed = signHeader({ ...get(host, "/public.txt"), query }, server.credentials);
      await send({ ...signed, headers: { ...signed.headers, authorization: "AWS4 wrong" } });
    }
    await send(get(host, "/public.txt"));
    expect((await errors()) - before).toBe(3);
  });

  test("of the public URL stays that of the site", async () => {
    expect((await send(get(PUBLIC, "/api/health"))).status).toBe(200);
    expect((await send(get(PUBLIC, "/vault/inner/secret.txt"))).text).not.toContain("vault");
  });
});
