import { afterEach, describe, expect, test } from "bun:test";
import { Holdall, HoldallError, type HoldallOptions } from "./holdall.ts";

type Reply = Response | ((request: Request) => Response | Promise<Response>);

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

/** A server that gives these replies one after the other, and the last one from then on. */
function scripted(...replies: Reply[]) {
  const asked: { url: URL; apiKey: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const reply = replies[Math.min(asked.length, replies.length - 1)];
      asked.push({ url: new URL(request.url), apiKey: request.headers.get("api-key") });
      if (reply === undefined) throw new Error("No reply was scripted.");
      return typeof reply === "function" ? reply(request) : reply.clone();
    },
  });
  servers.push(server);
  const client = (options: Partial<HoldallOptions> = {}) =>
    new Holdall({ url: server.url.href, apiKey: "the-key", ...options });
  return { asked, client, url: server.url.href };
}

const ok = (data: object) => Response.json({ data, error: null });
const no = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ data: null, error: { message } }, { status, headers });

async function failure(promise: Promise<unknown>): Promise<HoldallError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (error instanceof HoldallError) return error;
  throw new Error(`Not a HoldallError: ${String(error)}`);
}

describe("a call", () => {
  test("carries the key and the query", async () => {
    const { asked, client } = scripted(ok({ files: [] }));
    await client().files.named("a&b", { limit: 5, orderBy: "size" });
    expect(asked[0]?.apiKey).toBe("the-key");
    expect(asked[0]?.url.search).toBe("?limit=5&orderBy=size&name=a%26b");
  });

  test("keeps the path of the address", async () => {
    const { asked, client, url } = scripted(ok({ message: "yes" }));
    expect(await client({ url: `${url}deep/er/` }).health()).toBe("yes");
    expect(asked[0]?.url.pathname).toBe("/deep/er/api/health");
  });

  test("fails with the server's status, message and waiting time", async () => {
    const { client } = scripted(no(429, "Slow down.", { "Retry-After": "61" }));
    const { status, message, retryAfter } = await failure(client().health());
    expect({ status, message, retryAfter }).toEqual({
      status: 429,
      message: "Slow down.",
      retryAfter: 61,
    });
  });

  test("fails with status 0 when nobody answers", async () => {
    const { client, url } = scripted(ok({}));
    await Promise.all(servers.splice(0).map((server) => server.stop(true)));
    const error = await failure(client({ retries: 0 }).health());
    expect(error.status).toBe(0);
    expect(error.message).toContain(new URL(url).host);
    expect(error.cause).toBeDefined();
  });

  test.each([
    ["a page", () => new Response("<h1>Bad gateway</h1>", { status: 502 }), 502, "gave no reason"],
    ["another service", () => Response.json({ ok: true }), 200, "not one of Holdall's"],
    ["half an envelope", () => Response.json({ data: {} }), 200, "not one of Holdall's"],
    ["no JSON", () => new Response("{"), 200, "not one of Holdall's"],
    [
      "a redirect",
      () => Response.redirect("https://elsewhere.example/x"),
      302,
      "elsewhere.example",
    ],
  ])("says so when %s answers", async (_, reply, status, message) => {
    const { client } = scripted(reply);
    const error = await failure(client({ retries: 0 }).health());
    expect(error.status).toBe(status);
    expect(error.message).toContain(message);
  });
});

describe("tries again", () => {
  test("reading, until it works", async () => {
    const { asked, client } = scripted(no(503, "Busy."), no(502, "Gone."), ok({ message: "yes" }));
    expect(await client().health()).toBe("yes");
    expect(asked).toHaveLength(3);
  });

  test("only as often as it may", async () => {
    const { asked, client } = scripted(no(503, "Busy."));
    expect((await failure(client({ retries: 1 }).health())).status).toBe(503);
    expect(asked).toHaveLength(2);
  });

  test("never a change whose outcome is unknown", async () => {
    const { asked, client } = scripted(no(503, "Busy."));
    await failure(client().files.delete("x"));
    await failure(client().folders.create("x"));
    await failure(client().files.rename("x", "y"));
    expect(asked).toHaveLength(3);
  });

  test("a change after 429, when told to", async () => {
    const { asked, client } = scripted(
      no(429, "Slow down.", { "Retry-After": "0" }),
      ok({ deleted: ["x"], failed: [] }),
    );
    await client().files.delete("x");
    expect(asked).toHaveLength(2);
  });

  test("never a password, and never an upload", async () => {
    const { asked, client } = scripted(no(429, "Slow down.", { "Retry-After": "0" }));
    await failure(client().account.signIn({ email: "a@b", password: "c" }));
    await failure(client().files.upload(new Uint8Array(3), { name: "a" }));
    expect(asked).toHaveLength(2);
  });
});

describe("ends", () => {
  const never = () => new Promise<Response>(() => undefined);

  test("when the time is over", async () => {
    const { client } = scripted(never);
    const error = await failure(client({ timeout: 50, retries: 0 }).health());
    expect(error.status).toBe(0);
    expect(error.message).toContain("0.05 s");
  });

  test("when an answer stops in the middle", async () => {
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
    const { asked, client } = scripted(never);
    const control = new AbortController();
    const call = client().health({ signal: control.signal });
    await Bun.sleep(20);
    control.abort("enough");
    expect(await call.catch((reason) => reason)).toBe("enough");
    expect(
      await client()
        .health({ signal: control.signal })
        .catch((reason) => reason),
    ).toBe("enough");
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  test("also while it waits to try again", async () => {
    const { client } = scripted(no(429, "Slow down.", { "Retry-After": "30" }));
    const call = client().health({ signal: AbortSignal.timeout(50) });
    expect((await call.catch((reason) => reason)).name).toBe("TimeoutError");
  });
});

test.each(["", "files.example.com", "ftp://files.example.com", "/"])(
  "refuses the address %j",
  (url) => {
    expect(() => new Holdall({ url })).toThrow("`url` must be");
  },
);

test("makes absolute addresses", () => {
  const holdall = new Holdall({ url: "https://files.example.com/" });
  expect(holdall.url("a b/ä#?.png")).toBe(
    "https://files.example.com/api/hosting/a%20b/%C3%A4%23%3F.png",
  );
  expect(holdall.url({ url: "api/hosting/x" }, { download: true })).toBe(
    "https://files.example.com/api/hosting/x?download=1",
  );
  const link = { url: "https://files.example.com/api/hosting/x?exp=1&sig=2" };
  expect(holdall.url(link, { download: true })).toBe(`${link.url}&download=1`);
});
