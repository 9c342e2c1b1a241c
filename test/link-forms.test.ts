import { describe, expect, test } from "bun:test";
import { get, PAGE, startLinkServer, visitCookie } from "./link-server.ts";

const { holdall, share } = await startLinkServer();

const PASSWORD = "harbour lights";

describe("a password", () => {
  const form = (password: string) => new URLSearchParams({ password });
  const post = (url: string, body: URLSearchParams | FormData, headers = {}) =>
    fetch(url, { method: "POST", headers, body, redirect: "manual" });

  test("is accepted from 60 visitors of one address at once, also after a stranger's guesses", async () => {
    const link = await share({ password: PASSWORD });
    const enter = (password: string) => post(`${link}/notes.txt`, form(password));
    for (const count of [12, 60]) {
      const answers = await Promise.all(Array.from({ length: count }, () => enter(PASSWORD)));
      expect(answers.map(({ status }) => status)).toEqual(new Array<number>(count).fill(200));
      for (let guess = 0; guess < 3; guess += 1) expect((await enter("guess")).status).toBe(401);
    }
  });

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
    expect((await get(link, { ...PAGE, Cookie: visitCookie(browser) })).status).toBe(200);

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
    expect((await send(link, [["name", ".."], file("a")])).status).toBe(400);
    const condition = { ...PAGE, "If-None-Match": "*" };
    const conditional = await send(link, [["name", "Mallory"], file("a")], condition);
    expect(conditional.status).toBe(400);
    expect(await conditional.text()).toContain("takes no condition");
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
