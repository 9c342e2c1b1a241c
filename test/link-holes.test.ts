import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { linkRequests, newVisitCookie } from "./link-requests.ts";
import { head, rawRequest } from "./raw.ts";
import { administrator, cookieOf, fromPage, signIn } from "./session.ts";

/* What went wrong in other programs that share files by links. */

const server = await startServer({ ...administrator, RATE_LIMIT_LINKS: "0" });
afterAll(() => server.discard());
const a = api(server);
const { share, secretFile, visit } = linkRequests(server);

const listed = z.object({
  links: z.array(z.object({ id: z.string(), visits: z.number(), usesLeft: z.number().nullable() })),
});

/** The text of the page in a link whose content is public. */
const textOf = async (path: string): Promise<string> => (await visit(path)).text;

async function visitsOf(id: string) {
  const { links } = expectData(await a.get("/api/links?includeRevoked=1&limit=200"), listed);
  const { visits, usesLeft } = links.find((link) => link.id === id) ?? {};
  return { visits, usesLeft };
}

const form = (password: string): [HeaderPairs, string] => [
  { "Content-Type": "application/x-www-form-urlencoded" },
  new URLSearchParams({ password }).toString(),
];

describe("a shared folder", () => {
  test("has no path that leads out of it", async () => {
    const top = unique("walls");
    const { folderId } = await secretFile(`${top}/in/file.txt`, "inside");
    await secretFile(`${top}/secret.txt`, "SECRET");
    await secretFile(`${top}/in0/secret.txt`, "SECRET");
    const { path } = await share({ folderId });
    expect(await textOf(`${path}/file.txt`)).toBe("inside");
    const paths = [
      ...["../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", ".%2e/secret.txt"],
      ...["%2e%2e%2fsecret.txt", "x/../../secret.txt", "..%5csecret.txt", "..\\secret.txt"],
      ...["/secret.txt", "%2fsecret.txt", `${top}/secret.txt`, `%2f${top}%2fsecret.txt`],
      ...["../in0/secret.txt", "0/secret.txt", "%00", "..", "../", "./file.txt", "file.txt/"],
      ...["..;/secret.txt", "%252e%252e/secret.txt", "%c0%ae%c0%ae/secret.txt", "file.txt%00.jpg"],
    ];
    for (const below of paths) {
      for (const query of ["", "?download=1", "?zip=1", "?view=1"]) {
        const text = head("GET", `${path}/${below}${query}`, []);
        const answer = await rawRequest(server.port, text);
        expect([below, query, answer.text.includes("SECRET")]).toEqual([below, query, false]);
        expect([below, query, answer.status >= 400]).toEqual([below, query, true]);
      }
    }
    expect(await textOf(`${path}0/secret.txt`)).not.toContain("SECRET");
  });

  test("shows nothing that is moved out, or put where the folder was", async () => {
    const top = unique("moving");
    const file = await secretFile(`${top}/in/file.txt`, "MOVED");
    await secretFile(`${top}/in/other.txt`, "stays");
    const away = await secretFile(`${top}/out/x.txt`, "x");
    const { path } = await share({ folderId: file.folderId });
    await a.json("PUT", "/api/files", { id: file.id, folderId: away.folderId });
    expect((await visit(`${path}/file.txt`)).status).toBe(404);
    await a.json("PUT", "/api/folders", { id: file.folderId, name: "renamed" });
    await secretFile(`${top}/in/other.txt`, "another");
    expect(await textOf(`${path}/other.txt`)).toBe("stays");
    await a.json("DELETE", "/api/folders", { id: file.folderId });
    await secretFile(`${top}/renamed/other.txt`, "another");
    for (const below of ["", "/other.txt", "?zip=1"]) {
      expect((await visit(`${path}${below}`)).status).toBe(404);
    }
  });
});

describe("a shared file", () => {
  test("opens none of its siblings", async () => {
    const folder = unique("single");
    const file = await secretFile(`${folder}/file.txt`, "shared");
    const sibling = await secretFile(`${folder}/sibling.txt`, "SECRET");
    await secretFile(`${folder}/file.txt.bak`, "SECRET");
    const { path } = await share({ fileId: file.id });
    expect(await textOf(`${path}?download=1`)).toBe("shared");
    const others = [
      ...["/sibling.txt", "/file.txt.bak", "/file.txt/../sibling.txt", "/../sibling.txt", "/"],
      ...[`/${sibling.key}`, `/${sibling.id}`, "/sibling.txt?download=1", "/file.txt/"],
      ...["/file.txt/sibling.txt", "?zip=1&path=sibling.txt", "?id=sibling", "?file=sibling.txt"],
    ];
    for (const other of others) {
      const answer = await rawRequest(server.port, head("GET", `${path}${other}`, []));
      expect([other, answer.text.includes("SECRET")]).toEqual([other, false]);
    }
  });

  test("that was deleted is not followed by the next file of its name", async () => {
    const key = `${unique("next")}/file.txt`;
    const { id } = await secretFile(key, "first");
    const { path } = await share({ fileId: id });
    await a.json("DELETE", "/api/files", { id });
    await secretFile(key, "SECRET");
    for (const below of ["", "/file.txt", "?download=1"]) {
      const answer = await visit(`${path}${below}`);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain("SECRET");
    }
  });

  test("runs no script, whatever it is", async () => {
    const folder = unique("active");
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const { folderId } = await secretFile(`${folder}/a.svg`, svg);
    await secretFile(`${folder}/a.html`, "<script>alert(1)</script>");
    await secretFile(`${folder}/a.xml`, `<?xml version="1.0"?>${svg}`);
    const { path } = await share({ folderId });
    for (const name of ["a.svg", "a.html", "a.xml"]) {
      const answer = await visit(`${path}/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.header("content-security-policy")).toContain("sandbox");
      expect(answer.header("content-security-policy")).not.toContain("allow-scripts");
      expect(answer.header("x-content-type-options")).toBe("nosniff");
    }
  });
});

describe("a password", () => {
  test("protects every URL and every method of the link", async () => {
    const { folderId, key } = await secretFile(`${unique("locked")}/file.txt`, "SECRET");
    const { path, id } = await share({ folderId, password: "right", uses: 5 });
    const below = ["", "/", "/file.txt", "/file.txt?view=1", "?zip=1", "?download=1"];
    const others = ["/batch", "/info", "?format=json", "?view=list", "?received=1", `/${key}`];
    const headers: HeaderPairs[] = [
      ...[{}, { Accept: "text/html" }, { Accept: "application/json" }, { Range: "bytes=0-1" }],
      ...[{ "User-Agent": "Slackbot-LinkExpanding 1.0" }, { "Sec-Purpose": "prefetch" }],
      ...[{ Cookie: "holdall-link=1" }, { Authorization: "Basic OnJpZ2h0" }],
    ];
    for (const each of [...below, ...others]) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "OPTIONS", "PROPFIND"]) {
        for (const header of method === "GET" ? headers : [{}]) {
          const answer = await visit(`${path}${each}`, header, method);
          expect([each, method, answer.text.includes("SECRET")]).toEqual([each, method, false]);
          expect(answer.all("set-cookie")).toEqual([]);
        }
      }
    }
    // Not in a URL, where it would be logged.
    for (const query of ["?password=right", "?p=right"]) {
      expect(await textOf(`${path}/file.txt${query}`)).not.toContain("SECRET");
    }
    expect(await visitsOf(id)).toEqual({ visits: 0, usesLeft: 5 });
    const [type, body] = form("right");
    const opened = await send(server, "POST", `${path}/file.txt`, type, body);
    expect(opened.text).toBe("SECRET");
    const cookie = newVisitCookie(opened);
    expect((await visit(`${path}/file.txt`, { Cookie: cookie })).text).toBe("SECRET");
    expect(await visitsOf(id)).toEqual({ visits: 1, usesLeft: 4 });
    await a.json("PUT", "/api/links", { id, password: "another" });
    const ended = await visit(`${path}/file.txt`, { Cookie: cookie });
    expect([ended.status, ended.text.includes("SECRET")]).toEqual([401, false]);
  });

  test("of one link does not open another", async () => {
    const { id: fileId } = await secretFile(`${unique("two")}/file.txt`, "SECRET");
    const one = await share({ fileId, password: "one" });
    const two = await share({ fileId, password: "two" });
    const [type, body] = form("one");
    const cookie = newVisitCookie(await send(server, "POST", one.path, type, body));
    const answer = await visit(`${two.path}/file.txt`, { Cookie: cookie });
    expect([answer.status, answer.text.includes("SECRET")]).toEqual([401, false]);
  });
});

describe("a visit", () => {
  test("never reads nor changes the session of the owner", async () => {
    const session = await signIn(server);
    const { id: fileId } = await secretFile(`${unique("session")}/file.txt`, "SECRET");
    const { path, id } = await share({ fileId, password: "right" });
    const asked = await visit(`${path}/file.txt`, { Cookie: session });
    expect([asked.status, asked.text.includes("SECRET")]).toEqual([401, false]);
    const [type, body] = form("right");
    const opened = await send(server, "POST", path, { ...type, Cookie: session }, body);
    const cookie = newVisitCookie(opened);
    expect(cookie).not.toContain("session");
    expect((await fromPage(server, "GET", "/auth/session", session)).status).toBe(200);
    for (const headers of [{ Cookie: cookie }, { Cookie: `holdall_session=${cookie.slice(13)}` }]) {
      expectFault(await send(server, "GET", "/api/files", headers), 401);
    }
    expect(() => cookieOf(opened)).toThrow();
    // Nor does a key make a visit unnecessary.
    const key = await visit(`${path}/file.txt`, { "API-Key": server.apiKey });
    expect([key.status, key.text.includes("SECRET")]).toEqual([401, false]);
    expect(await visitsOf(id)).toEqual({ visits: 1, usesLeft: null });
  });

  test("is one whatever it reads: ranges, resumed downloads, pages and zips are free", async () => {
    const { folderId } = await secretFile(`${unique("free")}/file.txt`, "0123456789");
    const { path, id } = await share({ folderId, uses: 1 });
    const first = await visit(`${path}/file.txt`, { Range: "bytes=0-3" });
    expect([first.status, first.text]).toEqual([206, "0123"]);
    const cookie = newVisitCookie(first);
    for (const [below, range] of [
      ...[
        ["/file.txt", "bytes=4-"],
        ["/", ""],
        ["?zip=1", ""],
      ],
      ...[
        ["/file.txt?view=1", ""],
        ["/file.txt", ""],
      ],
    ] as const) {
      const headers = { Cookie: cookie, ...(range === "" ? {} : { Range: range }) };
      const { status } = await visit(`${path}${below}`, headers);
      expect([below, status]).toEqual([below, range === "" ? 200 : 206]);
    }
    expect(await visitsOf(id)).toEqual({ visits: 1, usesLeft: 0 });
    expect((await visit(`${path}/file.txt`)).status).toBe(404);
  });

  test("is not counted for HEAD, prefetch and link previews, which get no content", async () => {
    const { id: fileId } = await secretFile(`${unique("quiet")}/file.txt`, "SECRET");
    const { path, id } = await share({ fileId, uses: 1 });
    const agents = [
      ...["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Twitterbot/1.0"],
      ...["facebookexternalhit/1.1", "Mozilla/5.0 (compatible; Discordbot/2.0)", "WhatsApp/2.23"],
      ...["TelegramBot (like TwitterBot)", "LinkedInBot/1.0", "Googlebot/2.1", "SkypeUriPreview"],
    ];
    for (const below of ["", "/file.txt", "?download=1"]) {
      for (const agent of agents) {
        const { text } = await visit(`${path}${below}`, { "User-Agent": agent });
        expect([agent, text.includes("SECRET")]).toEqual([agent, false]);
      }
      for (const name of ["Sec-Purpose", "Purpose", "X-Moz", "X-Purpose"]) {
        const { text } = await visit(`${path}${below}`, { [name]: "prefetch" });
        expect([name, text.includes("SECRET")]).toEqual([name, false]);
      }
      await visit(`${path}${below}`, {}, "HEAD");
    }
    expect(await visitsOf(id)).toEqual({ visits: 0, usesLeft: 1 });
    expect(await textOf(`${path}?download=1`)).toBe("SECRET");
  });

  test("of a link with one use is given to one of 64 browsers at once", async () => {
    const { id: fileId } = await secretFile(`${unique("race")}/file.txt`, "content");
    const { path, id } = await share({ fileId, uses: 1 });
    const answers = await Promise.all(Array.from({ length: 64 }, () => visit(`${path}/file.txt`)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array<number>(63).fill(404)]);
    expect(await visitsOf(id)).toEqual({ visits: 1, usesLeft: 0 });
  });
});

/** The nonce and the id of the request are random. */
const withoutRandom = (page: string): string =>
  page.replaceAll(/nonce="[^"]*"|Request [0-9A-F]{16}/g, "");

test("ended links all look the same as links that never were", async () => {
  const { id: fileId } = await secretFile(`${unique("ended")}/file.txt`, "SECRET");
  const revoked = await share({ fileId });
  const usedUp = await share({ fileId, uses: 1 });
  const deleted = await share({ fileId: (await secretFile(`${unique("ended")}/x`, "x")).id });
  await a.json("DELETE", "/api/links", { id: revoked.id });
  await visit(`${usedUp.path}?download=1`);
  const { links } = expectData(
    await a.get("/api/links"),
    z.object({
      links: z.array(z.object({ id: z.string(), subject: z.object({ id: z.string() }) })),
    }),
  );
  const subject = links.find(({ id }) => id === deleted.id)?.subject;
  await a.json("DELETE", "/api/files", { id: subject?.id });
  const never = { path: `/s/${"A".repeat(22)}` };
  for (const accept of ["text/html", "application/json"]) {
    const answers = await Promise.all(
      [never, revoked, usedUp, deleted].map(({ path }) => visit(path, { Accept: accept })),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(withoutRandom(answer.text)).toBe(withoutRandom(answers[0]?.text ?? ""));
    }
  }
});
