import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AccessEntry, createAccessLog, withoutSecrets } from "./access-log.ts";

const BASE = { pid: 7, hostname: "files" };

const entry: AccessEntry = {
  requestId: "r1",
  traceparent: null,
  client: "192.0.2.1",
  keyId: "k1",
  method: "GET",
  route: "/api/hosting/*",
  path: "/api/hosting/a.txt",
  status: 200,
  bytes: null,
  ms: 1.234,
};

/** A log whose writes are kept. `nextWrite` resolves at the next one. */
function openLog(basePath = "") {
  const writes: string[] = [];
  let onWrite = () => {};
  let flushes = 0;
  const log = createAccessLog(BASE, basePath, {
    write(lines) {
      writes.push(lines);
      onWrite();
    },
    flushSync() {
      flushes += 1;
    },
  });
  return {
    log,
    writes,
    flushes: () => flushes,
    nextWrite: () => new Promise<void>((resolve) => (onWrite = resolve)),
  };
}

/** The line that is written for an entry. */
function lineOf(changes: Partial<AccessEntry>, basePath = ""): string {
  const { log, writes } = openLog(basePath);
  log.write({ ...entry, ...changes });
  log.close();
  expect(writes.length).toBe(1);
  return writes[0] ?? "";
}

describe("a line of the access log", () => {
  test.each([
    ["ASCII", "a"],
    ["characters that JSON escapes", '"'],
    ["characters of several bytes", "é"],
    ["control characters", "\u0001"],
  ])("is shorter than a pipe takes as a whole, whatever the client sends: %s", (_, character) => {
    const long = character.repeat(9000);
    const line = lineOf({ path: `/${long}` });
    expect(Buffer.byteLength(line)).toBeLessThan(4096);
    const { path, status } = JSON.parse(line);
    expect(path).toStartWith(`/${character.repeat(400)}`);
    expect(path).toEndWith(`${character}…`);
    expect(status).toBe(200);
  });

  test("has the whole path of a file whose key is as long as it may be in ASCII", () => {
    const path = `/api/hosting/${"a".repeat(1024)}`;
    expect(JSON.parse(lineOf({ path })).path).toBe(path);
  });

  test("has the level, the time, the fields of every line, those of the request and the message", () => {
    const before = Date.now();
    const line = lineOf({});
    const { time } = JSON.parse(line);
    expect(new Date(time).toISOString()).toBe(time);
    expect(Date.parse(time)).toBeWithin(before, Date.now() + 1);
    expect(line.replace(time, "TIME")).toBe(
      '{"level":30,"time":"TIME","pid":7,"hostname":"files","requestId":"r1","traceparent":null,' +
        '"client":"192.0.2.1","keyId":"k1","method":"GET","route":"/api/hosting/*",' +
        '"path":"/api/hosting/a.txt","status":200,"bytes":null,"ms":1.234,"msg":"request"}\n',
    );
  });

  test("leaves undefined fields out", () => {
    const { requestId, keyId, ...fields } = entry;
    expect(JSON.parse(lineOf({ requestId: undefined, keyId: undefined }))).toEqual({
      level: 30,
      time: expect.any(String),
      ...BASE,
      ...fields,
      msg: "request",
    });
  });

  test("has the path without secrets, also below the path where a proxy shows the site", () => {
    expect(JSON.parse(lineOf({ path: "/s/TOKEN/a" })).path).toBe("/s/…/a");
    const below = lineOf({ path: "/files/api/uploads/TOKEN" }, "/files");
    expect(JSON.parse(below).path).toBe("/files/api/uploads/…");
    expect(below).not.toContain("TOKEN");
  });

  test("is one line whatever the request contains", () => {
    const line = lineOf({ path: '/a\n"b' });
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(JSON.parse(line).path).toBe('/a\n"b');
  });
});

describe("the lines of the access log are gathered", () => {
  test("until they have 64 KiB", () => {
    const { log, writes } = openLog();
    const { length } = lineOf({});
    const count = Math.ceil((64 * 1024) / length);
    for (let at = 1; at < count; at += 1) log.write(entry);
    expect(writes).toEqual([]);
    log.write(entry);
    expect(writes.map((lines) => lines.length)).toEqual([count * length]);
    log.write(entry);
    expect(writes.length).toBe(1);
    log.close();
    expect(writes.map((lines) => lines.length)).toEqual([count * length, length]);
  });

  test("until the timer ends, which writes nothing when there are no lines", async () => {
    const { log, writes, nextWrite } = openLog();
    for (const requestId of ["a", "b"]) {
      const written = nextWrite();
      log.write({ ...entry, requestId });
      log.write({ ...entry, requestId });
      await written;
    }
    expect(writes.map((lines) => lines.split("\n").length - 1)).toEqual([2, 2]);
    // Absence: two periods without a line.
    await Bun.sleep(600);
    expect(writes.length).toBe(2);
    log.close();
  });

  test("until the log is closed, which waits for the destination", () => {
    const { log, writes, flushes } = openLog();
    log.write(entry);
    expect([writes.length, flushes()]).toEqual([0, 0]);
    log.close();
    expect([writes.length, flushes()]).toEqual([1, 1]);
  });
});

describe("the access log goes to standard error", () => {
  /** Writes as many lines as this. */
  const program = (count: number): string => `
    import { createAccessLog } from ${JSON.stringify(`${import.meta.dir}/access-log.ts`)};
    const log = createAccessLog({}, "");
    for (let at = 0; at < ${count}; at += 1) log.write(${JSON.stringify(entry)});
    log.close();`;
  const linesIn = (text: string): unknown[] =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("which is a pipe", async () => {
    const child = Bun.spawn([process.execPath, "-e", program(1)], {
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(linesIn(await new Response(child.stderr).text())).toMatchObject([entry]);
    expect(await new Response(child.stdout).text()).toBe("");
    expect(await child.exited).toBe(0);
  });

  test("which is a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdall-access-log-"));
    const path = join(folder, "log");
    const child = Bun.spawn([process.execPath, "-e", program(2000)], { stderr: Bun.file(path) });
    expect(await child.exited).toBe(0);
    expect(linesIn(readFileSync(path, "utf8"))).toMatchObject(Array(2000).fill(entry));
    rmSync(folder, { recursive: true });
  });
});

describe("the program goes on and ends when standard error takes nothing more", () => {
  const program = `
    import { createLog } from ${JSON.stringify(`${import.meta.dir}/../log.ts`)};
    import { createAccessLog } from ${JSON.stringify(`${import.meta.dir}/access-log.ts`)};
    process.on("SIGXFSZ", () => {});
    const log = createLog("info");
    const requests = createAccessLog({}, "");
    for (let turn = 0; turn < 3; turn += 1) {
      for (let at = 0; at < 2000; at += 1) requests.write(${JSON.stringify(entry)});
      log.info("a line");
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    requests.close();
    console.log("closed");
    process.exit(0);`;

  test.each([
    ["a file", "ulimit -f 64; exec 2>"],
    ["a device", "exec 2>/dev/full #"],
  ])(
    "%s",
    async (_, shell) => {
      const folder = mkdtempSync(join(tmpdir(), "holdall-access-log-"));
      const script = `${shell} "${join(folder, "log")}"\nexec "${process.execPath}" -e "$PROGRAM"`;
      const child = Bun.spawn(["sh", "-c", script], {
        env: { ...process.env, PROGRAM: program },
        stdout: "pipe",
      });
      expect(await new Response(child.stdout).text()).toBe("closed\n");
      expect(await child.exited).toBe(0);
      rmSync(folder, { recursive: true });
    },
    20_000,
  );
});

describe("a path in the access log has no token", () => {
  test.each([
    ["/s/TOKEN", "/s/…"],
    ["/s/TOKEN/photos/a.jpg", "/s/…/photos/a.jpg"],
    ["//s//TOKEN/a", "//s//…/a"],
    ["/api/uploads/TOKEN", "/api/uploads/…"],
    ["/api//uploads//TOKEN", "/api//uploads//…"],
    ["/api/batches/TOKEN/files", "/api/batches/…/files"],
    ["/api/hosting/~TOKEN/a.txt", "/api/hosting/~…/a.txt"],
    ["/api/hosting/%7ETOKEN/a.txt", "/api/hosting/%7E…/a.txt"],
    ["/api/hosting/%7eTOKEN/a.txt", "/api/hosting/%7e…/a.txt"],
    ["/api/hosting//~TOKEN/a.txt", "/api/hosting//~…/a.txt"],
    ["//api/hosting/~TOKEN/a.txt", "//api/hosting/~…/a.txt"],
  ])("%s", (path, expected) => {
    expect(withoutSecrets(path, "")).toBe(expected);
    expect(withoutSecrets(`/files${path}`, "/files")).toBe(`/files${expected}`);
  });

  test.each(["/api/files", "/api/hosting/s/a.txt", "/bucket/s/a.txt", "/api/uploads", "/docs"])(
    "%s stays",
    (path) => {
      expect(withoutSecrets(path, "")).toBe(path);
      expect(withoutSecrets(path, "/files")).toBe(path);
    },
  );
});
