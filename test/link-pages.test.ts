import { describe, expect, test } from "bun:test";
import { eventually, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { get, PAGE, startLinkServer } from "./link-server.ts";
import { raw, rawRequest } from "./raw.ts";
import { unzip } from "./unzip.ts";

const { server, holdall, share, fileId } = await startLinkServer();

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

test("the page of a folder says how many files its subfolders have, at any depth", async () => {
  const folder = await holdall.folders.create("counted");
  for (const key of [
    "counted/one/a",
    "counted/one/two/b",
    "counted/one/two/c",
    "counted/three/d",
  ]) {
    await holdall.files.put(key, "x");
  }
  const link = await share({ folderId: folder.id });
  // A busy server leaves out what it has not counted in time.
  await eventually("both are counted", async () => {
    const page = await (await get(link)).text();
    const counts = [
      /one<\/span><span class="size">3 files</,
      /three<\/span><span class="size">1 file</,
    ];
    return counts.every((count) => count.test(page));
  });
  for (let at = 0; at < 23; at += 1) await holdall.folders.create(`counted/more ${at}`);
  expect(await (await get(link)).text()).not.toContain('class="size"');
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
    expect(paths).toContain("Summer 2026/sub/deep/b&_c_.txt");
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

test("some files of a folder are a zip", async () => {
  const link = await share({ title: "Some" });
  const post = (path: string, names: readonly string[]) =>
    fetch(`${link}${path}`, {
      method: "POST",
      headers: { Accept: "text/html" },
      body: new URLSearchParams(names.map((name) => ["file", name])),
    });
  const zip = await post("", ["notes.txt", "photo.png"]);
  expect(zip.headers.get("content-disposition")).toContain('filename="files.zip"');
  expect(unzip(await zip.bytes()).map(({ path }) => path)).toEqual(["notes.txt", "photo.png"]);
  expect((await post("/sub/deep/", ["b&<c>.txt"])).status).toBe(200);
  for (const name of ["missing.txt", "../elsewhere/outside.txt", "sub"]) {
    expect((await post("", ["notes.txt", name])).status, name).toBe(404);
  }
  expect((await post("/sub/../", ["outside.txt"])).status).toBe(404);
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

describe("the page of a text", () => {
  const SHIFT_JIS = Buffer.from("8e8e8cb182cc95c5", "hex");
  const CYRILLIC = Buffer.from("cff0e8e2e5f22c20ece8f021", "hex");
  const upload = (name: string, bytes: Uint8Array, type = "") =>
    holdall.files.upload(new Blob([new Uint8Array(bytes)], { type }), {
      name,
      folder: "shared/texts",
    });
  const shown = async (path: string) => {
    const page = await (await get(`${await share()}/texts/${path}`)).text();
    const [, text = ""] = /<pre[^>]*>([^<]*)</.exec(page) ?? [];
    const [, encoding] = /value="([^"]*)" selected/.exec(page) ?? [];
    return { text, encoding, canChoose: page.includes('<select id="encoding"') };
  };

  test("in UTF-8, or in an encoding that is named, offers no choice", async () => {
    await upload("utf8.txt", Buffer.from("Grüße"));
    await upload("named.txt", SHIFT_JIS, "text/plain; charset=shift_jis");
    for (const query of ["?view=1", "?view=1&encoding=koi8-r"]) {
      expect(await shown(`utf8.txt${query}`)).toMatchObject({ text: "Grüße", canChoose: false });
      expect(await shown(`named.txt${query}`)).toMatchObject({
        text: "試験の頁",
        canChoose: false,
      });
    }
  });

  test("in Latin-1 is shown without a name of its encoding", async () => {
    await upload("latin.txt", Buffer.from("Gr\xfc\xdfe aus K\xf6ln, \x805", "latin1"));
    expect(await shown("latin.txt?view=1")).toEqual({
      text: "Grüße aus Köln, €5",
      encoding: "windows-1252",
      canChoose: true,
    });
  });

  test("in another encoding is not shown as garbage, and visitors choose its encoding", async () => {
    await upload("japanese.txt", SHIFT_JIS);
    await upload("cyrillic.txt", CYRILLIC);
    for (const [name, encoding, text] of [
      ["japanese.txt", "shift_jis", "試験の頁"],
      ["cyrillic.txt", "windows-1251", "Привет, мир!"],
    ] as const) {
      const unknown = await shown(`${name}?view=1&encoding=utf-7`);
      expect(unknown).toEqual({
        text: "The encoding of this text is not known. Choose one to read it.",
        encoding: undefined,
        canChoose: true,
      });
      expect(await shown(`${name}?view=1&encoding=${encoding}`)).toEqual({
        text,
        encoding,
        canChoose: true,
      });
    }
  });

  test("is shown in its encoding if some bytes of it are damaged", async () => {
    const damaged = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from([0xff])]);
    await upload("damaged.txt", damaged(Buffer.from("Grüße aus Köln ")));
    await upload("named-damaged.txt", damaged(SHIFT_JIS), "text/plain; charset=shift_jis");
    expect((await shown("damaged.txt?view=1")).text).toBe("Grüße aus Köln \ufffd");
    expect((await shown("named-damaged.txt?view=1")).text).toBe("試験の頁\ufffd");
  });

  test("has no excerpt of what is binary", async () => {
    await upload("binary.txt", Buffer.from([0xff, 0, 0x41, 0, 0xfc]));
    expect(await shown("binary.txt?view=1")).toMatchObject({ text: "", canChoose: false });
  });
});

test("a link for downloads shows nothing inline", async () => {
  const link = await share({ downloadOnly: true });
  const file = await get(`${link}/notes.txt`);
  expect(file.headers.get("content-disposition")).toStartWith("attachment");
  const page = await (await get(`${link}/notes.txt?view=1`)).text();
  expect(page).not.toContain("the notes");
  expect(page).toContain("cannot be viewed here".replace("cannot be", "but not"));
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

describe("a zip of some files", () => {
  const zipOf = (link: string, fields: string, headers: Record<string, string> = {}) =>
    fetch(link, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers,
      redirect: "manual",
    });

  test("has files of this folder only", async () => {
    const link = await share();
    expect((await zipOf(link, "file=notes.txt")).headers.get("content-type")).toBe(
      "application/zip",
    );
    for (const name of ["../elsewhere/outside.txt", "..", "sub/deep/b&<c>.txt", "sub", "", "\0"]) {
      const fields = new URLSearchParams({ file: name }).toString();
      expect((await zipOf(link, fields)).status).toBe(404);
    }
  });

  test("takes the password in the same form", async () => {
    const link = await share({ password: "a password" });
    expect((await zipOf(link, "file=notes.txt")).status).toBe(401);
    expect((await zipOf(link, "file=notes.txt&password=wrong")).status).toBe(401);
    const { status, headers } = await zipOf(link, "file=notes.txt&password=a+password");
    expect([status, headers.get("content-type")]).toEqual([200, "application/zip"]);
  });

  test("that cannot be made belongs to the visit that it starts", async () => {
    const link = await share({ uses: 1 });
    const missing = await zipOf(link, "file=missing");
    expect(missing.status).toBe(404);
    const cookie = missing.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await zipOf(link, "file=notes.txt", { Cookie: cookie })).status).toBe(200);
    expect((await zipOf(link, "file=notes.txt")).status).toBe(404);
  });
});

test("the page of a text that takes minutes to render is there, and keeps nobody waiting", async () => {
  await holdall.files.upload(new Blob([">".repeat(60_000)]), { name: "q.md", folder: "shared" });
  const link = await share();
  const page = get(`${link}/q.md?view=1`, PAGE);
  const startedAt = performance.now();
  await Bun.sleep(500);
  expect((await get(`${link}/notes.txt`)).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(2_500);
  const { status } = await page;
  expect(status).toBe(200);
});
