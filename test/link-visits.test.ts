import { describe, expect, test } from "bun:test";
import { Holdall } from "../sdk/src/holdall.ts";
import { startServer } from "./harness.ts";
import { get, PAGE, startLinkServer, visitCookie } from "./link-server.ts";

const { holdall, share } = await startLinkServer();

const PASSWORD = "harbour lights";

async function usesLeft(url: string): Promise<number | null | undefined> {
  const { links } = await holdall.links.list();
  return links.find((link) => url.endsWith(link.url ?? "-"))?.usesLeft;
}

describe("a visit", () => {
  test("is a cookie of this link alone, and not the session of the dashboard", async () => {
    const link = await share();
    const [cookie = "", ...more] = (await get(link)).headers.getSetCookie();
    expect(more).toEqual([]);
    const path = new URL(link).pathname;
    expect(cookie).toMatch(
      new RegExp(`^holdall-link=[^;]+; Path=${path}; Max-Age=86400; HttpOnly; SameSite=Lax$`),
    );
    const visiting = await get(`${link}/notes.txt`, { Cookie: cookie.split(";")[0] ?? "" });
    expect(visiting.headers.get("set-cookie")).toBeNull();
  });

  test("is for HTTPS only, and below the prefix of the proxy, where the public URL says so", async () => {
    const url = "https://files.example.com/box";
    const other = await startServer({ PUBLIC_URL: url });
    try {
      const api = new Holdall({ url: other.url, apiKey: other.apiKey });
      await api.files.upload(new Blob(["x"]), { name: "photo.png" });
      const { id } = await api.files.getByKey("photo.png");
      const link = await api.links.create({ fileId: id });
      const response = await get(`${other.url}/${link.url}`);
      expect(response.headers.get("set-cookie")).toContain(`; Path=/box/${link.url}; `);
      expect(response.headers.get("set-cookie")).toEndWith("; Secure");
      expect(await response.text()).toContain(
        `<meta property="og:image" content="${url}/${link.url}/photo.png">`,
      );
    } finally {
      await other.discard();
    }
  });

  test.each([
    ["HEAD", "HEAD", {}],
    ["Slack's preview", "GET", { "User-Agent": "Slackbot-LinkExpanding 1.0" }],
    ["WhatsApp's preview", "GET", { "User-Agent": "WhatsApp/2.24" }],
  ])("is not %s, which gets no content of a limited link", async (_name, method, headers) => {
    const link = await share({ uses: 1, title: "Two words" });
    for (const path of ["", "/notes.txt", "?zip=1"]) {
      const response = await get(`${link}${path}`, { ...PAGE, ...headers }, method);
      expect(response.status).toBe(200);
      expect(response.headers.get("set-cookie")).toBeNull();
      const text = await response.text();
      expect(text).not.toContain("notes");
      if (method === "GET") expect(text).toContain('property="og:title" content="Two words"');
    }
    expect(await usesLeft(link)).toBe(1);
    expect((await get(link)).status).toBe(200);
    expect(await usesLeft(link)).toBe(0);
  });

  test("is not a prefetch, whose response browsers must not keep for the visit", async () => {
    for (const options of [{ uses: 1 }, { password: PASSWORD }]) {
      const link = await share(options);
      for (const purpose of ["prefetch", "prefetch;prerender"]) {
        const response = await get(link, { ...PAGE, "Sec-Purpose": purpose });
        expect([response.status, response.headers.get("set-cookie")]).toEqual([503, null]);
      }
      expect((await get(link)).status).toBe(200);
    }
    const open = await share();
    expect((await get(open, { ...PAGE, "Sec-Purpose": "prefetch" })).status).toBe(200);
  });

  test("that finds nothing at its path is one all the same", async () => {
    const link = await share({ uses: 1 });
    const missing = await get(`${link}/missing`);
    expect(missing.status).toBe(404);
    expect((await get(link, { ...PAGE, Cookie: visitCookie(missing) })).status).toBe(200);
    expect((await get(link)).status).toBe(404);
  });
});
