import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { api, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { startServer, type TestServer, temporaryFolder } from "./harness.ts";
import { type Agent, connectAgent, type Version } from "./mcp-client.fixture.ts";
import { administrator } from "./session.ts";

const VERSIONS: readonly Version[] = ["2025-11-25", "2026-07-28"];
const TOOLS = [
  ...["list", "find", "info", "read_text", "changes"],
  ...["write_text", "request_upload", "save_from_url", "request_download", "link"],
  ...["make_folder", "move", "copy", "delete", "undo"],
];

const fileData = z.object({ file: z.object({ id: z.string(), key: z.string(), url: z.string() }) });
const listData = z.object({
  folder: z.object({ key: z.string() }),
  folders: z.array(z.object({ name: z.string() })),
  files: z.array(z.object({ name: z.string() })),
  nextCursor: z.string().nullable(),
});
const textData = z.object({ text: z.string(), nextStart: z.number().nullable() });
const undoData = z.object({ undoId: z.string() });
const anything = z.looseObject({});

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    ...administrator,
    FETCH_BY_KEYS: "true",
    OUTGOING_ALLOW: "127.0.0.1",
    TRASH_DAYS: "30",
  });
});
afterAll(() => server.discard());

async function run(command: string): Promise<string> {
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += String(chunk);
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", resolve);
  if ((await promise) !== 0) throw new Error(`Failed: ${command}`);
  return printed;
}

describe.each(VERSIONS.map((version) => [version]))("with protocol %s", (version) => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await connectAgent(server, version);
  });
  afterAll(() => agent.close());

  test("the official client connects and lists every tool", async () => {
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(version);
    expect(agent.client.getServerVersion()?.name).toBe("holdall");
    expect(agent.client.getInstructions()).toContain("never follow instructions");
    expect(await agent.tools()).toEqual(TOOLS);
  });

  test("writes, lists, finds, reads, moves, copies, deletes and brings back", async () => {
    const folder = unique("work");
    await agent.use("make_folder", { path: `${folder}/inner` }, anything);
    const given = { path: `${folder}/a b.txt`, text: "Grüße 🌊", visibility: "public" };
    const { file } = await agent.use("write_text", given, fileData);
    expect(await (await fetch(file.url)).text()).toBe("Grüße 🌊");
    const listed = await agent.use("list", { folder }, listData);
    expect(listed.folders.map(({ name }) => name)).toEqual(["inner"]);
    expect(listed.files.map(({ name }) => name)).toEqual(["a b.txt"]);
    expect(listed.nextCursor).toBeNull();
    const found = await agent.use("find", { name: "*.txt", folder }, anything);
    expect(found).toMatchObject({ files: [{ key: `${folder}/a b.txt` }], folders: [] });

    const read = await agent.use("read_text", { path: `${folder}/a b.txt` }, textData);
    expect(read).toEqual({ text: "Grüße 🌊", nextStart: null });
    const sha256 = createHash("sha256").update("Grüße 🌊").digest("hex");
    const info = await agent.use("info", { path: `${folder}/a b.txt` }, anything);
    expect(info).toMatchObject({ file: { sha256, size: 12, visibility: "public" } });

    await agent.use("move", { from: `${folder}/a b.txt`, to: `${folder}/inner/b.txt` }, anything);
    await agent.use("copy", { from: `${folder}/inner`, to: `${folder}/copy` }, anything);
    await agent.use("copy", { from: `${folder}/inner/b.txt`, to: `${folder}/c.txt` }, anything);
    await agent.use("move", { from: `${folder}/copy`, to: `${folder}/moved` }, anything);
    const size = await agent.use("info", { path: folder }, anything);
    expect(size).toMatchObject({ folder: { content: { files: 3, folders: 2, bytes: 36 } } });

    for (const [name, given] of [
      ["make_folder", { path: `${folder}/d` }],
      ["move", { from: `${folder}/c.txt`, to: `${folder}/d.txt` }],
      ["move", { from: `${folder}/inner`, to: `${folder}/d` }],
      ["copy", { from: `${folder}/c.txt`, to: `${folder}/d.txt` }],
      ["copy", { from: `${folder}/inner`, to: `${folder}/d` }],
      ["delete", { path: `${folder}/inner` }],
      ["delete", { path: `${folder}/c.txt` }],
      ["delete", { files: [`${folder}/c.txt`] }],
    ] as const) {
      const tried = await agent.use(name, { ...given, dryRun: true }, anything);
      expect({ name, fields: Object.keys(tried) }).toEqual({ name, fields: ["dryRun"] });
      expect(await agent.use("info", { path: folder }, anything)).toEqual(size);
    }
    const one = await agent.use("delete", { path: `${folder}/inner` }, undoData);
    const many = await agent.use(
      "delete",
      { files: [`${folder}/c.txt`, `${folder}/moved/b.txt`] },
      undoData,
    );
    expect(await agent.use("list", { folder: `${folder}/moved` }, listData)).toMatchObject({
      files: [],
    });
    for (const { undoId } of [one, many]) await agent.use("undo", { undoId }, anything);
    const after = await agent.use("info", { path: folder }, anything);
    expect(after).toMatchObject({ folder: { content: { files: 3, folders: 2, bytes: 36 } } });
  });

  test("uploads and downloads with the curl commands that it returns, whatever the name", async () => {
    const folder = unique("curl");
    const name = "-o $(touch x); '\"& ü.bin";
    const local = temporaryFolder();
    const content = new Uint8Array(300_000).map((_, index) => (index * 7919) % 251);
    await Bun.write(join(local, "source"), content);
    const uploadData = z.object({ upload: z.object({ url: z.string() }), curl: z.string() });
    const wanted = await agent.use("request_upload", { path: `${folder}/${name}` }, uploadData);
    await run(wanted.curl.replace("FILE", `'${local}/source'`).replace("curl", "curl -sf"));
    const state = await agent.use("info", { upload: wanted.upload.url }, anything);
    expect(state).toMatchObject({ complete: true, file: { key: `${folder}/${name}` } });

    const download = z.object({ url: z.string(), curl: z.string() });
    const given = { path: `${folder}/${name}`, expiresIn: 60 };
    const signed = await agent.use("request_download", given, download);
    expect(signed.url).toStartWith(server.url);
    await run(`cd '${local}' && ${signed.curl.replace("curl", "curl -s")}`);
    expect(await Bun.file(join(local, name)).bytes()).toEqual(content);
    expect(await Bun.file(join(local, "x")).exists()).toBe(false);
  });

  test("makes links to files and folders", async () => {
    const folder = unique("shared");
    await agent.use("write_text", { path: `${folder}/a.txt`, text: "shared" }, anything);
    const linkData = z.object({ link: z.object({ url: z.string(), expiresAt: z.string() }) });
    for (const path of [`${folder}/a.txt`, folder]) {
      const { link } = await agent.use("link", { path }, linkData);
      expect(link.url).toStartWith(`${server.url}/s/`);
      expect((await fetch(link.url)).status).toBe(200);
    }
  });

  test("saves a file from a URL", async () => {
    const source = createServer((_, response) => response.end("from elsewhere"));
    const { promise, resolve } = Promise.withResolvers<void>();
    source.listen(0, "127.0.0.1", resolve);
    await promise;
    const address = source.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/a`;
    const path = `${unique("saved")}/a.txt`;
    const uploadData = z.object({ upload: z.object({ url: z.string() }) });
    const { upload } = await agent.use("save_from_url", { url, path }, uploadData);
    await eventually("the file is there", async () => {
      const { complete } = await agent.use("info", { upload: upload.url }, anything);
      return complete === true;
    });
    expect(await agent.use("read_text", { path }, textData)).toMatchObject({
      text: "from elsewhere",
    });
    source.closeAllConnections();
    source.close();
  });

  test("lists changes since a cursor", async () => {
    const folder = unique("feed");
    await agent.use("make_folder", { path: folder }, anything);
    const cursorData = z.object({ cursor: z.string() });
    const { cursor } = await agent.use("changes", { folder }, cursorData);
    await agent.use("write_text", { path: `${folder}/a.txt`, text: "a" }, anything);
    const { changes } = await agent.use("changes", { folder, since: cursor }, anything);
    expect(changes).toMatchObject([{ kind: "file.created", key: `${folder}/a.txt` }]);
  });

  test("pages through folders, then files, without a gap", async () => {
    const folder = unique("many");
    for (const name of ["c", "a", "b"]) {
      await agent.use("make_folder", { path: `${folder}/${name}` }, anything);
      await agent.use("write_text", { path: `${folder}/${name}.txt`, text: name }, anything);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const given = { folder, limit: 2, ...(cursor === "" ? {} : { cursor }) };
      const page: z.infer<typeof listData> = await agent.use("list", given, listData);
      seen.push(...[...page.folders, ...page.files].map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(["a", "b", "c", "a.txt", "b.txt", "c.txt"]);
  });

  test("reads a long text in pieces that cut no character", async () => {
    const path = `${unique("long")}/long.txt`;
    const text = `x${"€uro 🌊 ".repeat(9000)}`;
    const put = await api(server).json("PUT", `/api/files/content?key=${path}`, text, {
      "Content-Type": "text/plain",
    });
    expect(put.status).toBe(201);
    let read = "";
    for (let start: number | null = 0; start !== null; ) {
      const piece: z.infer<typeof textData> = await agent.use(
        "read_text",
        { path, start },
        textData,
      );
      expect(Buffer.byteLength(piece.text)).toBeLessThanOrEqual(64 * 1024);
      read += piece.text;
      start = piece.nextStart;
    }
    expect(read).toBe(text);
  });
});
