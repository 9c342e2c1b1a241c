import { afterEach, describe, expect, test } from "bun:test";
import { eventually } from "../../../test/expectations.ts";
import { Holdall, HoldallError, type HoldallOptions } from "../holdall.ts";
import { createTransport } from "./transport.ts";

type Reply = Response | ((request: Request) => Response | Promise<Response>);

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

/** A server that sends these replies in order, and then repeats the last one. */
function scripted(...replies: Reply[]) {
  const requests: { url: URL; apiKey: string | null; space: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const reply = replies[Math.min(requests.length, replies.length - 1)];
      const { headers } = request;
      requests.push({
        url: new URL(request.url),
        apiKey: headers.get("api-key"),
        space: headers.get("holdall-space"),
      });
      if (reply === undefined) throw new Error("No reply is scripted.");
      return typeof reply === "function" ? reply(request) : reply.clone();
    },
  });
  servers.push(server);
  const client = (options: Partial<HoldallOptions> = {}) =>
    new Holdall({ url: server.url.href, apiKey: "the-key", ...options });
  return { requests, client, url: server.url.href };
}

const ok = (data: object) => Response.json({ data, error: null });
const fail = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ data: null, error: { message } }, { status, headers });

async function failure(promise: Promise<unknown>): Promise<HoldallError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (error instanceof HoldallError) return error;
  throw new Error(`Not a HoldallError: ${String(error)}`);
}

describe("a call", () => {
  test("sends the key and the query", async () => {
    const { requests, client } = scripted(ok({ files: [] }));
    await client().files.named("a&b", { limit: 5, orderBy: "size" });
    expect(requests[0]?.apiKey).toBe("the-key");
    expect(requests[0]?.url.search).toBe("?limit=5&orderBy=size&name=a%26b");
  });

  test("names the space, which may change, and none without the option", async () => {
    const { requests, client } = scripted(ok({ message: "yes" }));
    let space: string | undefined = "one";
    const member = client({ apiKey: undefined, space: () => space });
    await member.health();
    space = "two";
    await member.health();
    space = undefined;
    await member.health();
    await client({ space: "three" }).health();
    await client().health();
    expect(requests.map((request) => request.space)).toEqual(["one", "two", null, "three", null]);
  });

  test("to a URL with a secret names neither the key nor the space", () => {
    const transport = createTransport({ url: "http://a", apiKey: "the-key", space: "one" });
    expect(transport.credentials()).toEqual({ "API-Key": "the-key", "Holdall-Space": "one" });
    expect(transport.anonymous().credentials()).toEqual({});
  });

  test("gives a `fetch` of the application headers that it can spread", async () => {
    const { requests, client } = scripted(ok({ message: "yes" }));
    const added = client({
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, "X-Added": "1" } }),
    });
    await added.health();
    expect(requests[0]?.apiKey).toBe("the-key");
  });

  test("keeps the path of the base URL", async () => {
    const { requests, client, url } = scripted(ok({ message: "yes" }));
    expect(await client({ url: `${url}deep/er/` }).health()).toBe("yes");
    expect(requests[0]?.url.pathname).toBe("/deep/er/api/health");
  });

  test("fails with the server's status, message and Retry-After", async () => {
    const { client } = scripted(fail(429, "Slow down.", { "Retry-After": "61" }));
    const { status, message, retryAfter } = await failure(client().health());
    expect({ status, message, retryAfter }).toEqual({
      status: 429,
      message: "Slow down.",
      retryAfter: 61,
    });
  });

  test("fails with status 0 if the server is not reachable", async () => {
    const { client, url } = scripted(ok({}));
    await Promise.all(servers.splice(0).map((server) => server.stop(true)));
    const error = await failure(client({ retries: 0 }).health());
    expect(error.status).toBe(0);
    expect(error.message).toContain(new URL(url).host);
    expect(error.cause).toBeDefined();
  });

  test.each([
    [
      "a page",
      () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
      502,
      "no error message",
    ],
    [
      "a response of another service",
      () => Response.json({ ok: true }),
      200,
      "does not come from Holdall",
    ],
    ["half an envelope", () => Response.json({ data: {} }), 200, "does not come from Holdall"],
    ["invalid JSON", () => new Response("{"), 200, "does not come from Holdall"],
    [
      "a redirect",
      () => Response.redirect("https://elsewhere.example/x"),
      302,
      "elsewhere.example",
    ],
  ])("fails with an explanation if it gets %s", async (_, reply, status, message) => {
    const { client } = scripted(reply);
    const error = await failure(client({ retries: 0 }).health());
    expect(error.status).toBe(status);
    expect(error.message).toContain(message);
  });
});

describe("retries", () => {
  test("reads, until one succeeds", async () => {
    const { requests, client } = scripted(
      fail(503, "Busy."),
      fail(502, "Gone."),
      ok({ message: "yes" }),
    );
    expect(await client().health()).toBe("yes");
    expect(requests).toHaveLength(3);
  });

  test("at most `retries` times", async () => {
    const { requests, client } = scripted(fail(503, "Busy."));
    expect((await failure(client({ retries: 1 }).health())).status).toBe(503);
    expect(requests).toHaveLength(2);
  });

  test("no write whose outcome is unknown", async () => {
    const { requests, client } = scripted(fail(503, "Busy."));
    await failure(client().files.delete("x"));
    await failure(client().folders.create("x"));
    await failure(client().files.rename("x", "y"));
    expect(requests).toHaveLength(3);
  });

  test("a write after 429", async () => {
    const { requests, client } = scripted(
      fail(429, "Slow down.", { "Retry-After": "0" }),
      ok({ deleted: ["x"], failed: [] }),
    );
    await client().files.delete("x");
    expect(requests).toHaveLength(2);
  });

  test("after the date in `Retry-After`, which proxies may send", async () => {
    const soon = new Date(Date.now() + 1_000).toUTCString();
    const { requests, client } = scripted(
      fail(429, "Slow down.", { "Retry-After": soon }),
      ok({ message: "yes" }),
    );
    expect(await client().health()).toBe("yes");
    const later = new Date(Date.now() + 600_000).toUTCString();
    const far = scripted(fail(503, "Busy.", { "Retry-After": later }));
    expect((await failure(far.client().health())).retryAfter).toBeWithin(590, 601);
    expect(requests.length + far.requests.length).toBe(3);
  });

  test("no passwords and no uploads", async () => {
    const { requests, client } = scripted(fail(429, "Slow down.", { "Retry-After": "0" }));
    await failure(client().account.signIn({ email: "a@b", password: "c" }));
    await failure(client().files.upload(new Uint8Array(3), { name: "a" }));
    expect(requests).toHaveLength(2);
  });
});

describe("fails", () => {
  const never = () => new Promise<Response>(() => undefined);

  test("after the timeout", async () => {
    const { client } = scripted(never);
    const error = await failure(client({ timeout: 50, retries: 0 }).health());
    expect(error.status).toBe(0);
    expect(error.message).toContain("0.05 s");
  });

  test("after the timeout if the response stops midway", async () => {
    const stuck = () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }),
      );
    const { client } = scripted(stuck);
    expect((await failure(client({ timeout: 50, retries: 0 }).health())).message).toContain(
      "0.05 s",
    );
  });

  test("with the signal's reason", async () => {
    const { requests, client } = scripted(never);
    const control = new AbortController();
    const call = client().health({ signal: control.signal });
    await eventually("it is sent", () => requests.length === 1);
    control.abort("enough");
    expect(await call.catch((reason) => reason)).toBe("enough");
    expect(
      await client()
        .health({ signal: control.signal })
        .catch((reason) => reason),
    ).toBe("enough");
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  test("with the signal's reason while it waits for a retry", async () => {
    const { client } = scripted(fail(429, "Slow down.", { "Retry-After": "30" }));
    const call = client().health({ signal: AbortSignal.timeout(50) });
    expect((await call.catch((reason) => reason)).name).toBe("TimeoutError");
  });
});

test.each(["", "files.example.com", "ftp://files.example.com", "/"])(
  "rejects the URL %j",
  (url) => {
    expect(() => new Holdall({ url })).toThrow("`url` must be");
  },
);

test("returns absolute URLs", () => {
  const holdall = new Holdall({ url: "https://files.example.com/" });
  expect(holdall.url("a b/ä#?.png")).toBe(
    "https://files.example.com/api/hosting/a%20b/%C3%A4%23%3F.png",
  );
  expect(holdall.url({ url: "api/hosting/x" }, { download: true })).toBe(
    "https://files.example.com/api/hosting/x?download=1",
  );
  const link = { url: "https://files.example.com/api/hosting/x?exp=1&sig=2" };
  expect(holdall.url(link, { download: true })).toBe(`${link.url}&download=1`);
  expect(holdall.url(link, { size: "small" })).toBe(`${link.url}&size=small`);
  expect(holdall.url("x", { size: "large", download: true })).toBe(
    "https://files.example.com/api/hosting/x?download=1&size=large",
  );
});
