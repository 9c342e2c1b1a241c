import { afterEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { allKeys, expectFault } from "../suite/catalog.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { createPostmaster } from "./postmaster.fixture.ts";
import { postgresServer, startPostgresServer } from "./server.fixture.ts";

const children: { kill(signal: "SIGKILL"): void; readonly exited: Promise<number> }[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
});

function start(task: string, url: string, name = "") {
  const script = join(import.meta.dir, "child.fixture.ts");
  const child = Bun.spawn([process.execPath, script, task, url, name], {
    stdout: "pipe",
    stderr: "inherit",
  });
  children.push(child);
  return child;
}

const linesOf = async (child: ReturnType<typeof start>): Promise<string[]> =>
  (await new Response(child.stdout).text()).split("\n").filter((line) => line !== "");

test("four processes that open an empty database create the tables once", async () => {
  const url = await (await postgresServer()).fresh();
  const opened = await Promise.all([1, 2, 3, 4].map(() => linesOf(start("open", url))));
  const made = opened.flat().map(Number).sort();
  expect(made.slice(0, 3)).toEqual([0, 0, 0]);
  expect(made[3]).toBeGreaterThan(3);
});

test("rejects tables of a newer version and leaves them unchanged", async () => {
  const server = await postgresServer();
  const url = await server.fresh();
  await (await openPostgresCatalog({ url })).close();
  await server.run(url, "insert into migrations values (1000, 0)");
  const opening = openPostgresCatalog({ url });
  await expect(opening).rejects.toThrow("has version 1000, which a newer Holdall wrote");
});

test("one of several processes gets a name", async () => {
  const url = await (await postgresServer()).fresh();
  await (await openPostgresCatalog({ url })).close();
  const lines = await Promise.all(["x", "y", "z"].map((name) => linesOf(start("race", url, name))));
  const rounds = Array.from({ length: 40 }, (_, round) => round);
  const expected = rounds.flatMap((round) => [...Array(3).fill(`${round} own`), `${round} wanted`]);
  expect(lines.flat().sort()).toEqual(expected.sort());
  const catalog = await openPostgresCatalog({ url });
  for await (const fault of catalog.inspect()) expect(fault).toBeUndefined();
  await catalog.close();
});

test("answered changes survive SIGKILL, and changes are atomic", async () => {
  const url = await (await postgresServer()).fresh();
  const child = start("add forever", url, "x");
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    if (text === "") setTimeout(() => child.kill("SIGKILL"), 500);
    text += decoder.decode(chunk, { stream: true });
  }
  const answered = text.split("\n").slice(0, -1);
  expect(answered.length).toBeGreaterThan(0);
  const catalog = await openPostgresCatalog({ url });
  const keys = new Set(await allKeys(catalog));
  for (const folder of answered) {
    for (const name of ["a", "b", "c"]) expect(keys.has(`${folder}/${name}`)).toBe(true);
  }
  const folders = new Set([...keys].map((key) => key.slice(0, key.lastIndexOf("/"))));
  expect(keys.size).toBe(folders.size * 3);
  // Its leases are alive as far as anybody can tell, until they lapse.
  expect(await catalog.releaseExpiredLeases()).toEqual([]);
  await catalog.close();
});

test("changes and lookups wait when the server allows few connections", async () => {
  const server = await postgresServer();
  const url = new URL(await server.fresh());
  const schema = url.searchParams.get("options")?.split("=").at(-1);
  const role = `few_${process.pid}`;
  await server.run(url.href, `create role ${role} login password 'few' connection limit 7`);
  await server.run(url.href, `grant all on schema ${schema} to ${role}`);
  url.username = role;
  url.password = "few";
  const catalog = await openPostgresCatalog({ url: url.href });
  try {
    const keys = Array.from({ length: 60 }, (_, at) => parseKey(`many/${at}`));
    await Promise.all(keys.map((key) => catalog.createFolder(COMMAND_EVERYWHERE, key)));
    const found = await Promise.all(
      keys.map((key) => catalog.folderByKey(COMMAND_EVERYWHERE, key)),
    );
    expect(found.map((folder) => folder?.key)).toEqual(keys);
  } finally {
    await catalog.close();
  }
});

test("reconnects to a server on a Unix socket", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdall-socket-"));
  chmodSync(folder, 0o755);
  const server = await createPostmaster(folder, [`unix_socket_directories=${folder}`]);
  await server.start();
  const { username, password } = new URL(server.url);
  const where = `host=${folder}&port=${server.port}`;
  const url = `postgres://${username}:${password}@localhost/postgres?${where}`;
  const catalog = await openPostgresCatalog({ url });
  await server.stop("fast");
  try {
    await expectFault(catalog.ping(), "unavailable");
    await expectFault(
      catalog.createFolder(COMMAND_EVERYWHERE, parseKey("meanwhile")),
      "unavailable",
    );
    const line = `The PostgreSQL database at ${folder}/postgres cannot be reached: `;
    await expect(openPostgresCatalog({ url })).rejects.toThrow(line);
    await server.start();
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("after"));
  } finally {
    await catalog.close();
    await server.stop("fast");
  }
});

test("is unavailable while its server restarts, and works again", async () => {
  const server = await startPostgresServer();
  const url = await server.fresh();
  const catalog = await openPostgresCatalog({ url });
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("before"));
  await server.stop();
  try {
    await expectFault(catalog.ping(), "unavailable");
    await expectFault(
      Promise.try(() => catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("before"))),
      "unavailable",
    );
    await expectFault(
      catalog.createFolder(COMMAND_EVERYWHERE, parseKey("meanwhile")),
      "unavailable",
    );
    const line = openPostgresCatalog({ url });
    await expect(line).rejects.toThrow(/at 127\.0\.0\.1:\d+\/postgres cannot be reached: /);
  } finally {
    await server.start();
  }
  await catalog.ping();
  expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("before"))).toBeDefined();
  expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("meanwhile"))).toBeUndefined();
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("after"));
  await catalog.close();
});

test("reports an unusable database in one line, without the password", async () => {
  const url = await (await postgresServer()).fresh();
  const connectError = async (wrong: string): Promise<string> => {
    const outcome = await openPostgresCatalog({ url: wrong }).catch((cause: unknown) => cause);
    return String(outcome);
  };
  const secret = "s3cr3t";
  const wrongPassword = await connectError(url.replace("holdall:holdall@", `holdall:${secret}@`));
  expect(wrongPassword).toContain("refuses the user");
  expect(wrongPassword).not.toContain(secret);
  expect(await connectError(url.replace(/\/\w+\?/, "/nowhere?"))).toContain("does not exist");
  expect(await connectError(url.replace(/holdall_\d+_\d+$/, "nowhere"))).toContain("No schema");
  for (const line of [wrongPassword]) expect(line).not.toContain("\n");
});
