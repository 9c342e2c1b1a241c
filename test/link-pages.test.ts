import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Holdall, type NewLink } from "../sdk/src/holdall.ts";
import { expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { encodeJpeg } from "./image-encoders.ts";
import { raw, rawRequest } from "./raw.ts";
import { unzip } from "./unzip.ts";

let server: TestServer;
let holdall: Holdall;
let folderId: string;
const PASSWORD = "harbour lights";
const PAGE = { Accept: "text/html,*/*;q=0.8" };

beforeAll(async () => {
  server = await startServer();
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  const file = (name: string, content: string, folder = "shared") =>
    holdall.files.upload(new Blob([content]), { name, folder });
  await file("notes.txt", "the notes");
  await file("active.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  await file("page.html", "<script>alert(1)</script>");
  await file("paper.pdf", "%PDF-1.7");
  await file("photo.png", "not really a picture");
  await file("b&<c>.txt", "below", "shared/sub/deep");
  await file("outside.txt", "outside", "elsewhere");
  folderId = (await holdall.folders.browse({ key: "shared" })).folder.id;
});
afterAll(() => server.discard());

/** The URL of a new link to `shared`, unless `options` say otherwise. */
async function share(options: Partial<NewLink> = {}): Promise<string> {
  const subject = "fileId" in options ? {} : { folderId };
  const link = await holdall.links.create({ ...subject, ...options } as NewLink);
  return `${server.url}/${link.url}`;
}

const fileId = async (key: string): Promise<string> => (await holdall.files.getByKey(key)).id;

const get = (url: string, headers: Record<string, string> = PAGE, method = "GET") =>
  fetch(url, { method, headers, redirect: "manual" });

async function usesLeft(url: string): Promise<number | null | undefined> {
  const { links } = await holdall.links.list();
  return links.find((link) => url.endsWith(link.url ?? "-"))?.usesLeft;
}

const cookieOf = (response: Response): string =>
  response.headers.get("set-cookie")?.split(";")[0] ?? "";

describe("every response", () => {
  test.each([
    ["a page", "", 200],
    ["the page of a file", "/notes.txt?view=1", 200],
    ["a file", "/notes.txt", 200],
    ["a zip", "?zip=1", 200],
    ["a missing path", "/missing", 404],
  ])("%s is kept out of caches, referrers and search engines", async (_name, path, status) => {
    for (const accept of ["text/html", "*/*"]) {
      const { headers, status: actual } = await get(`${await share()}${path}`, { Accept: accept });
      expect(actual).toBe(status);
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test.each(["active.svg", "page.html", "photo.png"])("%s runs no scripts", async (name) => {
    const { headers } = await get(`${await share()}/${name}`);
    expect(headers.get("content-security-policy")).toBe("sandbox");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test("a page allows its own scripts only, with a nonce that changes", async () => {
    const link = await share();
    const nonces = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const response = await get(`${link}/notes.txt?view=1`);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toStartWith("default-src 'none'; script-src 'nonce-");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
      const page = await response.text();
      expect(page.match(/<script /g)?.length).toBe(page.split(`nonce="${nonce}"`).length - 1);
      expect(page).not.toMatch(/<script>|<style|style=|onclick=/);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });
});

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
    expect((await get(link, { ...PAGE, Cookie: cookieOf(missing) })).status).toBe(200);
    expect((await get(link)).status).toBe(404);
  });
});

describe("the path", () => {
  test.each([
    "/../elsewhere/outside.txt",
    "/..%2felsewhere/outside.txt",
    "/%2e%2e/elsewhere/outside.txt",
    "/sub%2fdeep/b&<c>.txt",
    "/sub//deep/",
    "//",
    "/./notes.txt",
    "/notes.txt/",
    "/sub/deep",
    "/sub/%ff",
    "/NOTES.txt",
    "/elsewhere/outside.txt",
    "/shared/notes.txt",
  ])("%s names nothing", async (path) => {
    const { pathname } = new URL(await share());
    const answer = await raw(server.port, "GET", `${pathname}${path}`);
    expect(answer.status).toBe(404);
  });

  test("of a folder ends with a slash, and its names are encoded", async () => {
    const link = await share();
    const page = await (await get(`${link}/sub/deep/`)).text();
    expect(page).toContain("b&amp;&lt;c&gt;.txt");
    const token = new URL(link).pathname.split("/").at(-1);
    const url = `../../../${token}/sub/deep/b%26%3Cc%3E.txt`;
    expect(page).toContain(`href="${url}?view=1"`);
    const file = await get(new URL(url, `${link}/sub/deep/`).href);
    expect(await file.text()).toBe("below");
  });

  test("of a link to a file is the name of the file", async () => {
    const link = await share({ fileId: await fileId("shared/notes.txt") });
    expect(await (await get(`${link}/notes.txt`)).text()).toBe("the notes");
    const download = await get(`${link}?download=1`, {});
    expect(await download.text()).toBe("the notes");
    expect(download.headers.get("content-disposition")).toStartWith("attachment");
    for (const path of ["/photo.png", "/notes.txt/", "/shared/notes.txt", "?view=1/x"]) {
      const { status } = await get(`${link}${path}`);
      expect(status, path).toBe(path.startsWith("?") ? 200 : 404);
    }
  });
});

test("a download resumes", async () => {
  const link = await share();
  const whole = await get(`${link}/notes.txt`);
  const tag = whole.headers.get("etag") ?? "";
  const rest = await get(`${link}/notes.txt`, { Range: "bytes=4-", "If-Range": tag });
  expect(rest.status).toBe(206);
  expect(await rest.text()).toBe("notes");
});

describe("the zip of a folder", () => {
  test("has the title of the link, and not the name of the folder", async () => {
    const link = await share({ title: "Summer / 2026" });
    const zip = await get(`${link}?zip=1`);
    expect(zip.headers.get("content-disposition")).toContain('filename="Summer 2026.zip"');
    const bytes = await zip.bytes();
    expect(Buffer.from(bytes).includes("shared")).toBe(false);
    const paths = unzip(bytes).map(({ path }) => path);
    expect(paths).toContain("Summer 2026/sub/deep/b&<c>.txt");
    const inner = await get(`${link}/sub/?zip=1`);
    expect(inner.headers.get("content-disposition")).toContain('filename="sub.zip"');
    const untitled = await get(`${await share()}?zip=1`);
    expect(untitled.headers.get("content-disposition")).toContain('filename="shared.zip"');
  });

  test("is not planned for HEAD, which gives its name and no size", async () => {
    const link = await share({ title: "Summer" });
    const { status, headers } = await get(`${link}?zip=1`, PAGE, "HEAD");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/zip");
    expect(headers.get("content-disposition")).toContain('filename="Summer.zip"');
    expect(headers.get("x-archive-size")).toBeNull();
    expect(headers.get("content-length")).toBeNull();
    expect((await get(`${link}/missing/?zip=1`, PAGE, "HEAD")).status).toBe(404);
  });
});

test("a PDF opens in a tab, outside the sandbox in which browsers cannot show it", async () => {
  const link = await share({ fileId: await fileId("shared/paper.pdf") });
  expect(await (await get(link)).text()).toMatch(
    /<a [^>]*href="[^"?]+\/paper\.pdf" target="_blank" rel="noopener">Open</,
  );
  const { headers } = await get(`${link}/paper.pdf`);
  expect(headers.get("content-type")).toBe("application/pdf");
  expect(headers.get("content-disposition")).toStartWith("inline");
  expect(headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  const limited = await get(
    await share({ fileId: await fileId("shared/paper.pdf"), downloadOnly: true }),
  );
  expect(await limited.text()).not.toContain(">Open<");
});

test("a link for downloads shows nothing inline", async () => {
  const link = await share({ downloadOnly: true });
  const file = await get(`${link}/notes.txt`);
  expect(file.headers.get("content-disposition")).toStartWith("attachment");
  const page = await (await get(`${link}/notes.txt?view=1`)).text();
  expect(page).not.toContain("the notes");
  expect(page).toContain("cannot be viewed here".replace("cannot be", "but not"));
});

describe("a password", () => {
  const form = (password: string) => new URLSearchParams({ password });
  const post = (url: string, body: URLSearchParams | FormData, headers = {}) =>
    fetch(url, { method: "POST", headers, body, redirect: "manual" });

  test("is asked for by a page, and by status 401 for everything else", async () => {
    const link = await share({ password: PASSWORD });
    const page = await get(link);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toMatch(/notes|shared/);
    for (const path of ["/notes.txt", "?zip=1", "?download=1", "/sub/", "/missing"]) {
      expect((await get(`${link}${path}`)).status, path).toBe(401);
    }
    expect((await get(`${link}/notes.txt`, {})).status).toBe(401);
    // Not in a URL, which logs and browsers keep.
    expect((await get(`${link}/notes.txt?password=${encodeURIComponent(PASSWORD)}`)).status).toBe(
      401,
    );
  });

  test("takes browsers to what they asked for, and gives it to programs at once", async () => {
    const link = await share({ password: PASSWORD });
    const browser = await post(`${link}/notes.txt?view=1`, form(PASSWORD), PAGE);
    expect(browser.status).toBe(303);
    expect(browser.headers.get("location")).toBe(`${new URL(link).pathname}/notes.txt?view=1`);
    expect((await get(link, { ...PAGE, Cookie: cookieOf(browser) })).status).toBe(200);

    const program = await post(`${link}/notes.txt`, form(PASSWORD));
    expect(await program.text()).toBe("the notes");
    const multipart = new FormData();
    multipart.set("password", PASSWORD);
    expect(await (await post(`${link}/notes.txt`, multipart)).text()).toBe("the notes");
  });

  test("that is wrong gets the page again with status 401", async () => {
    const link = await share({ password: PASSWORD });
    const wrong = await post(link, form("something else"), PAGE);
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("set-cookie")).toBeNull();
    expect(await wrong.text()).toContain('role="alert"');
    const program = await post(link, form("something else"), { Accept: "application/json" });
    expect(program.status).toBe(401);
    expect((await program.json()).data).toBeNull();
  });
});

describe("a form with files", () => {
  const send = (
    url: string,
    fields: readonly (readonly [string, string | File])[],
    headers = {},
  ) => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    return fetch(url, { method: "POST", headers, body, redirect: "manual" });
  };
  const file = (name: string): [string, File] => ["files", new File([name], name)];

  test("is stored as a whole, privately, with numbers for repeated names", async () => {
    const link = await share({ kind: "drop" });
    const fields = [["name", "Ada"], file("p.jpg"), file("p.jpg"), ["visibility", "public"]];
    const answer = await send(link, fields as [string, string | File][]);
    expect(answer.status).toBe(201);
    expect((await answer.json()).data).toEqual({ files: 2, bytes: 10 });
    const { files } = await holdall.folders.browse({ key: "shared/Ada" });
    expect(files.map(({ name, visibility }) => [name, visibility]).toSorted()).toEqual([
      ["p (2).jpg", "private"],
      ["p.jpg", "private"],
    ]);
  });

  test("takes a password before the files", async () => {
    const link = await share({ kind: "drop", password: PASSWORD });
    expect((await send(link, [["name", "Eve"], file("x")])).status).toBe(401);
    const fields = [["password", PASSWORD], ["name", "Grace"], file("x")];
    expect((await send(link, fields as [string, string | File][])).status).toBe(201);
    const { folders } = await holdall.folders.browse({ key: "shared" });
    const names = folders.map(({ name }) => name);
    expect(names).toContain("Grace");
    expect(names).not.toContain("Eve");
  });

  test("that the server refuses is shown again with the reason, and nothing is stored", async () => {
    const link = await share({ kind: "drop", maxFiles: 1 });
    const many = await send(link, [["name", "Mallory"], file("a"), file("b")], PAGE);
    expect(many.status).toBe(413);
    expect(await many.text()).toContain("at most 1 file");
    expect((await send(link, [["name", "Mallory"]], PAGE)).status).toBe(400);
    expect((await send(link, [["name", "a/b"], file("a")])).status).toBe(400);
    const { folders } = await holdall.folders.browse({ key: "shared" });
    expect(folders.map(({ name }) => name)).not.toContain("Mallory");
  });

  test("shows visitors nothing of the folder", async () => {
    const link = await share({ kind: "drop" });
    for (const path of ["/notes.txt", "/sub/", "?zip=1", "?download=1", "?view=list"]) {
      expect(await (await get(`${link}${path}`)).text(), path).not.toMatch(/notes|deep/);
    }
    expect((await get(`${link}/notes.txt`)).status).toBe(404);
  });
});

test("a link works without a Host header", async () => {
  const { pathname } = new URL(await share());
  const head = (path: string): string => `GET ${path} HTTP/1.0\r\nAccept: text/html\r\n\r\n`;
  const page = await rawRequest(server.port, head(pathname));
  expect(page.status).toBe(200);
  expect(page.text).toContain("notes.txt");
  expect((await rawRequest(server.port, head("/s/unknown"))).status).toBe(404);
});

test("other methods are refused with the methods that exist", async () => {
  const link = await share();
  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const response = await get(link, {}, method);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
  }
});

test("programs get failures in the envelope, people as a page", async () => {
  const answer = await raw(server.port, "GET", "/s/AAAAAAAAAAAAAAAAAAAAAA");
  expectFault(answer, 404);
  for (const path of ["/s/AAAAAAAAAAAAAAAAAAAAAA", "/s/x/y/z", "/s/", "/s"]) {
    const page = await get(`${server.url}${path}`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("This link does not work");
  }
});

test("links have a limit of requests of their own", async () => {
  const limited = await startServer({ RATE_LIMIT_LINKS: "2" });
  try {
    for (let time = 0; time < 2; time += 1) await get(`${limited.url}/s/x`);
    const page = await get(`${limited.url}/s/x`);
    expect(page.status).toBe(429);
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await page.text()).toContain("Try again shortly");
    expect((await get(`${limited.url}/s/x`, {})).headers.get("content-type")).toContain("json");
    expect((await get(`${limited.url}/api/health`)).status).toBe(200);
  } finally {
    await limited.discard();
  }
});

describe("a gallery", () => {
  const folder = "gallery";
  const photo = () =>
    encodeJpeg(1600, 1200, (x, y) => [(x * 31 + y * 17) % 256, (x * y) % 256, (y * 7) % 256]);

  test("loads small pictures, also private ones, with the authority of the link only", async () => {
    const original = await photo();
    for (const name of ["one.jpg", "two.jpg"]) {
      const options = { name, folder, visibility: "private" } as const;
      await holdall.files.upload(new Blob([new Uint8Array(original)]), options);
    }
    await holdall.files.upload(new Blob(["no picture"]), { name: "broken.png", folder });
    const id = (await holdall.folders.browse({ key: folder })).folder.id;
    const url = await share({ folderId: id });
    const page = await get(url);
    const cookie = cookieOf(page);
    const sources = [...(await page.text()).matchAll(/<img src="([^"]+)"/g)].map(([, source]) =>
      new URL((source ?? "").replaceAll("&amp;", "&"), url).toString(),
    );
    expect(sources).toHaveLength(3);
    const headers = { Accept: "image/webp,*/*", Cookie: cookie };
    const isBroken = (source: string): boolean => source.includes("broken");
    for (const source of sources.filter((each) => !isBroken(each))) {
      const response = await get(source, headers);
      expect(response.headers.get("content-type")).toBe("image/webp");
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      const bytes = await response.bytes();
      expect(bytes.length).toBeLessThan(original.length / 4);
      const { width, height } = await new Bun.Image(bytes).metadata();
      expect([width, height]).toEqual([320, 240]);
    }
    // What cannot be scaled comes as it is.
    const broken = await get(sources.find(isBroken) ?? "", headers);
    expect(await broken.text()).toBe("no picture");
    expect((await get(`${url}/one.jpg?size=huge`, headers)).status).toBe(400);
    const { links } = await holdall.links.list();
    const link = links.find((each) => url.endsWith(each.url ?? "-"));
    await holdall.links.revoke(link?.id ?? "");
    for (const source of sources) expect((await get(source, headers)).status).toBe(404);
  });
});
