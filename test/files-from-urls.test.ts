import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { fileShape } from "./shapes.ts";

const uploadsData = z.object({ uploads: z.array(z.object({ id: z.string(), url: z.string() })) });
const shownData = z.object({
  complete: z.boolean(),
  file: fileShape.nullable(),
  fetch: z.object({ state: z.string(), error: z.string().nullable() }).nullable(),
});

let server: TestServer;
let source: ReturnType<typeof createServer>;
let base: string;
const paths: Record<string, RequestListener> = {};

beforeAll(async () => {
  source = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    (paths[path] ?? ((_request, answer) => answer.writeHead(404).end()))(request, response);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  source.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = source.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  server = await startServer({
    ...administrator,
    OUTGOING_ALLOW: "127.0.0.1",
    FETCH_BY_KEYS: "true",
    MAX_UPLOAD_SIZE: "8mb",
  });
});
afterAll(async () => {
  await server.discard();
  source.closeAllConnections();
  source.close();
});

async function begin(body: object): Promise<string[]> {
  const answer = await api(server).json("POST", "/api/files/fetch", body);
  return expectData(answer, uploadsData).uploads.map(({ url }) => url);
}

const show = async (url: string) =>
  expectData(await send(server, "GET", `/${url}`, { "Tus-Resumable": "1.0.0" }), shownData);

async function result(body: object) {
  const [url = ""] = await begin(body);
  await eventually("it ends", async () =>
    ["done", "failed"].includes((await show(url)).fetch?.state ?? ""),
  );
  return show(url);
}

const textAt = async (key: string) => (await send(server, "GET", `/api/hosting/${key}`)).text;

describe("a file from a URL", () => {
  test("is stored with its name, type and digest", async () => {
    const folder = unique("url");
    const bytes = Buffer.from("hello ".repeat(100_000));
    paths["/files/a%20b.txt"] = (request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    };
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const url = `${base}/files/a%20b.txt?token=1#x`;
    const { complete, file, fetch } = await result({ url, folder, sha256 });
    expect([complete, fetch]).toEqual([true, { state: "done", error: null }]);
    expect(file).toMatchObject({ key: `${folder}/a b.txt`, size: bytes.length });
    expect(await textAt(`${folder}/a%20b.txt`)).toBe(bytes.toString());
    await eventually("it is in the activity log", async () => {
      const { text } = await api(server).get("/api/activity?action=fetchFiles");
      expect(text).not.toContain("token=1");
      return text.includes(folder);
    });
  });

  test("is named by the source, or by the request, and may have no known length", async () => {
    const folder = unique("url");
    paths["/download"] = (_request, response) => {
      response.writeHead(200, {
        "content-type": "image/png; x=1",
        "content-disposition": `attachment; filename="../../e.data"; filename*=UTF-8''..%2F%C3%A9t%C3%A9`,
      });
      response.write("one ");
      setTimeout(() => response.end("two"), 50);
    };
    const found = await result({ url: `${base}/download`, folder });
    expect(found.file).toMatchObject({ key: `${folder}/été`, mimeType: "image/png", size: 7 });
    const named = await result({
      url: `${base}/download`,
      folder,
      name: "own.txt",
      visibility: "private",
    });
    expect(named.file).toMatchObject({
      key: `${folder}/own.txt`,
      mimeType: "text/plain",
      visibility: "private",
    });
  });

  test("comes after redirects, each of which is checked", async () => {
    const folder = unique("url");
    paths["/to"] = (request, response) => {
      const to = new URL(request.url ?? "", base).searchParams.get("to") ?? "";
      response.writeHead(302, { location: to }).end();
    };
    paths["/end.txt"] = (_request, response) => void response.end("end");
    paths["/loop"] = (_request, response) =>
      void response.writeHead(301, { location: "/loop" }).end();
    const to = (target: string) => `${base}/to?to=${encodeURIComponent(target)}`;
    expect((await result({ url: to(`${base}/end.txt`), folder, name: "a" })).fetch?.state).toBe(
      "done",
    );
    for (const target of [
      ...["http://169.254.169.254/latest", "http://10.0.0.1/", "http://[::ffff:10.0.0.1]/"],
      ...["file:///etc/passwd", "http://localhost.localdomain.invalid/"],
    ]) {
      const { fetch, complete } = await result({ url: to(target), folder, name: "b" });
      expect([fetch?.state, complete]).toEqual(["failed", false]);
    }
    expect((await result({ url: `${base}/loop`, folder, name: "c" })).fetch?.error).toContain(
      "5 times",
    );
    expect((await api(server).browse(folder)).files.map(({ name }) => name)).toEqual(["a"]);
  });

  test("is not stored if the source lies, breaks off, is too long, or compresses", async () => {
    const folder = unique("url");
    const cases: [string, RequestListener, RegExp, object?][] = [
      [
        "/short",
        (_request, response) => {
          response.writeHead(200, { "content-length": 100 });
          response.write("too little", () => response.destroy());
        },
        /ended early/,
      ],
      [
        "/chunked",
        (_request, response) => {
          response.writeHead(200);
          response.write("some", () => setTimeout(() => response.destroy(), 50));
        },
        /ended early/,
      ],
      [
        "/announced",
        (_request, response) => {
          response.writeHead(200, { "content-length": 1e12 });
          response.write("x");
        },
        /larger than/,
      ],
      [
        "/endless",
        (_request, response) => {
          const block = Buffer.alloc(256 * 1024);
          const go = () => {
            while (!response.destroyed && response.write(block));
            response.once("drain", go);
          };
          go();
        },
        /larger than/,
      ],
      [
        "/bomb",
        (_request, response) => {
          response.writeHead(200, { "content-encoding": "gzip" });
          response.end(gzipSync(Buffer.alloc(1e7)));
        },
        /compressed/,
      ],
      [
        "/transfer",
        ({ socket }) => {
          socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
          socket.end("2\r\nxx\r\n0\r\n\r\n");
        },
        /compressed/,
      ],
      ["/missing", (_request, response) => void response.writeHead(404).end("no"), /404/],
      ["/", (_request, response) => void response.end("x"), /names the file/],
      [
        "/other",
        (_request, response) => void response.end("x"),
        /SHA-256/,
        { sha256: "0".repeat(64) },
      ],
    ];
    for (const [path, answer, message, more = {}] of cases) {
      paths[path] = answer;
      const name = path === "/" ? {} : { name: `f${path.slice(1)}` };
      const [url = ""] = await begin({ url: `${base}${path}`, folder, ...name, ...more });
      let error = "";
      await eventually(`${path} fails`, async () => {
        const answer = await send(server, "GET", `/${url}`, { "Tus-Resumable": "1.0.0" });
        // An upload with another digest is removed.
        if (answer.status === 404) error = "SHA-256";
        else error = expectData(answer, shownData).fetch?.error ?? "";
        return error !== "";
      });
      expect([path, error]).toEqual([path, expect.stringMatching(message)]);
    }
    expect((await api(server).browse("")).folders.map(({ name }) => name)).not.toContain(folder);
  });

  test("may wait for hours for those before it", async () => {
    const body = { url: `${base}/none`, folder: unique("url") };
    const { text } = await api(server).json("POST", "/api/files/fetch", body);
    const { expiresAt } = JSON.parse(text).data.uploads[0];
    expect(Date.parse(`${expiresAt.replace(" ", "T")}Z`) - Date.now()).toBeGreaterThan(20 * 3.6e6);
  });

  test("takes up to 100 pairs, and what onConflict says", async () => {
    const folder = unique("url");
    paths["/n.txt"] = (_request, response) => void response.end("new");
    const files = Array.from({ length: 100 }, (_, index) => ({
      key: `${folder}/${index % 3}/${index}.txt`,
      url: `${base}/n.txt`,
    }));
    const urls = await begin({ files });
    expect(urls).toHaveLength(100);
    await eventually("all are there", async () => {
      const { text } = await api(server).get(`/api/search?q=*.txt&limit=1000`);
      return files.every(({ key }) => text.includes(`"${key}"`));
    });
    const body = { files: [...files, files[0]] };
    expectFault(await api(server).json("POST", "/api/files/fetch", body), 400, /100/);
    const again = await result({ url: `${base}/n.txt`, folder: `${folder}/0`, name: "0.txt" });
    expect(again.fetch?.error).toContain("0.txt");
    const kept = {
      url: `${base}/n.txt`,
      folder: `${folder}/0`,
      name: "0.txt",
      onConflict: "keepBoth",
    };
    expect((await result(kept)).file?.key).toBe(`${folder}/0/0 (2).txt`);
  });

  test.each<[object, RegExp]>([
    [{}, /either/],
    [{ url: "ftp://a.test/x" }, /http/],
    [{ url: "http://a:b@a.test/x" }, /user name/],
    [{ url: "http://a.test/x", files: [] }, /at least one|either/],
    [{ files: [] }, /at least one/],
    [{ files: [{ key: "", url: "http://a.test/x" }] }, /key/],
    [{ files: [{ key: "a/../b", url: "http://a.test/x" }] }, /./],
    [{ url: "http://a.test/x", sha256: "abc" }, /sha256/],
  ])("is refused with %p", async (body, message) => {
    expectFault(await api(server).json("POST", "/api/files/fetch", body), 400, message);
  });

  test("is for people, and for API keys only if the setting allows it", async () => {
    await server.restart({ FETCH_BY_KEYS: "false" });
    paths["/p.txt"] = (_request, response) => void response.end("p");
    const body = { url: `${base}/p.txt`, folder: unique("url") };
    expectFault(await api(server).json("POST", "/api/files/fetch", body), 403, /fetchByKeys/);
    const cookie = await signIn(server);
    const answer = await fromPage(server, "POST", "/api/files/fetch", cookie, body);
    expect(answer.status).toBe(200);
  });

  test("reports that the server stopped meanwhile", async () => {
    await server.restart({ FETCH_BY_KEYS: "true" });
    paths["/slow.txt"] = (_request, response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write("12345");
    };
    const [url = ""] = await begin({ url: `${base}/slow.txt`, folder: unique("url") });
    await eventually("it runs", async () => (await show(url)).fetch?.state === "running");
    await server.restart();
    expect((await show(url)).fetch).toMatchObject({ state: "failed" });
  });
});
