import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createSocketServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllowed } from "./allow-list.ts";
import { createOutgoing, type OutgoingDeps, type OutgoingResponse } from "./outgoing.ts";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const allow = (...entries: string[]) =>
  entries.map((entry) => parseAllowed(entry) ?? expect.unreachable(entry));

const outgoing = (deps: Partial<OutgoingDeps> = {}) =>
  createOutgoing({ allowed: [], userAgent: "test", ...deps });

const limits = { headersMs: 1000, totalMs: 2000, idleMs: 500 };

async function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listening(server);
}

function listening(server: ReturnType<typeof createSocketServer>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    resolve(typeof address === "object" && address !== null ? address.port : 0);
  });
  return promise;
}

async function listenRaw(handle: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => handle(socket));
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listening(server);
}

async function textOf(response: OutgoingResponse): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(part);
  return Buffer.concat(parts).toString();
}

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (cause) => cause.kind ?? String(cause),
  );

const get = (url: string, deps: Partial<OutgoingDeps> = {}) =>
  outgoing(deps).send({ url: new URL(url), method: "GET", ...limits });

describe("addresses that lead inside", () => {
  /** Each one as the host of a URL, as far as URLs can be written so, and as the answer of a resolver. */
  const hostile = [
    ...["127.0.0.1", "127.0.0.2", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1"],
    ...["10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
    ...["169.254.169.254", "169.254.0.1", "169.254.170.2", "100.64.0.1", "100.127.255.255"],
    ...["100.100.100.200", "168.63.129.16", "192.0.0.1", "192.0.0.192", "192.0.2.1"],
    ...["198.18.0.1", "198.51.100.7", "203.0.113.9", "192.88.99.1", "224.0.0.1", "239.1.2.3"],
    ...["240.0.0.1", "255.255.255.255", "::", "::1", "::2", "::127.0.0.1", "::7f00:1"],
    ...["::10.0.0.1", "::169.254.169.254", "::ffff:127.0.0.1", "::ffff:7f00:1"],
    ...["::ffff:10.1.2.3", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "fe80::1"],
    ...["fe80::a9fe:a9fe", "febf::1", "fec0::1", "fc00::1", "fd00::1", "fdff:ffff::1"],
    ...["fd00:ec2::254", "ff02::1", "ff05::2", "64:ff9b::127.0.0.1", "64:ff9b::a00:1"],
    ...["64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "64:ff9b:1::1", "2002:7f00:1::"],
    ...[
      "2002:a00:1::1",
      "2002:a9fe:a9fe::",
      "2002:808:808::",
      "2001::1",
      "2001:0:53aa:64c::80ff:fffe",
    ],
    ...["2001:db8::1", "2001:10::1", "2001:20::1", "100::1", "3fff::1", "5f00::1", "4000::1"],
    ...["2600::5efe:7f00:1", "2600::200:5efe:a00:1", "1000::1", "e000::1"],
  ];

  test("are at least 60 different ones", () => {
    expect(new Set(hostile).size).toBeGreaterThanOrEqual(60);
  });

  test.each(hostile)("are refused: %s", async (address) => {
    const host = address.includes(":") ? `[${address}]` : address;
    expect(await failure(get(`http://${host}:9/`))).toBe("refused");
    expect(await failure(get("http://name.test:9/", { resolve: async () => [address] }))).toBe(
      "refused",
    );
  });

  test.each([
    ...["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "017700000001", "0"],
    ...["127.0.0.1.", "①②⑦.⓪.⓪.①", "%31%32%37.0.0.1", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]"],
    "localhost",
  ])("are refused in other spellings: %s", async (host) => {
    expect(await failure(get(`http://${host}:9/`))).toBe("refused");
  });

  test.each(["fe80::1%lo", "not an address", "", "127.0.0.1 ", "1.2.3", "::ffff:127.0.0.1%1"])(
    "are refused as answers of a resolver that are no addresses: %s",
    async (answer) => {
      expect(await failure(get("http://name.test:9/", { resolve: async () => [answer] }))).toBe(
        "refused",
      );
    },
  );

  test.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111", "64:ff9b::808:808"])(
    "are not public ones: %s",
    async (address) => {
      const controller = new AbortController();
      controller.abort();
      const { signal } = controller;
      const sent = outgoing({ resolve: async () => [address] }).send({
        ...{ url: new URL("http://name.test/"), method: "GET" as const, ...limits, signal },
      });
      expect(await failure(sent)).not.toBe("refused");
    },
  );
});

describe("OUTGOING_ALLOW", () => {
  const allLinkLocal = ["0.0.0.0/0", "::/0", "name.test", "169.254.169.254", "169.254.169.254:80"];
  test.each([
    ...["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "64:ff9b::a9fe:a9fe"],
    ...["2002:a9fe:a9fe::", "::169.254.169.254", "0.0.0.0", "::", "255.255.255.255", "ff02::1"],
    ...[
      "fd00:ec2::254",
      "fd20:ce::254",
      "168.63.129.16",
      "100.100.100.200",
      "2600::5efe:a9fe:a9fe",
    ],
  ])("never opens %s", async (address) => {
    const deps = { allowed: allow(...allLinkLocal), resolve: async () => [address] };
    expect(await failure(get("http://name.test/", deps))).toBe("refused");
    const host = address.includes(":") ? `[${address}]` : address;
    expect(await failure(get(`http://${host}/`, deps))).toBe("refused");
  });

  test("opens a host, a host with a port, an address with a port and a range", async () => {
    const port = await listen((_request, response) => response.end("hello"));
    const resolve = async () => ["127.0.0.1"];
    for (const entry of ["app", "APP.", `app:${port}`, "127.0.0.0/8", `127.0.0.1:${port}`]) {
      const response = await get(`http://app:${port}/`, { allowed: allow(entry), resolve });
      expect(await textOf(response)).toBe("hello");
    }
    for (const entry of ["ap", "app.test", "app:1", "127.0.0.2", "127.0.0.1:1", "10.0.0.0/8"]) {
      const deps = { allowed: allow(entry), resolve };
      expect(await failure(get(`http://app:${port}/`, deps))).toBe("refused");
    }
  });

  test.each([
    "",
    "a b",
    "http://app",
    "app:0",
    "app:99999",
    "1.2.3",
    "10.0.0.0/33",
    "-a",
    "[::1",
    "*",
  ])("rejects the entry %p", (entry) => expect(parseAllowed(entry)).toBeUndefined());
});

describe("an outgoing request", () => {
  test("connects to the address that was checked, though the resolver then gives another", async () => {
    const hosts: (string | undefined)[] = [];
    const port = await listen((request, response) => {
      hosts.push(request.headers.host);
      response.end("inside");
    });
    // Allowed at first, then not: each request asks once.
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked % 2 === 1 ? ["127.0.0.9"] : ["127.0.0.1"];
    };
    const deps = { resolve, allowed: allow("127.0.0.9") };
    for (let round = 0; round < 4; round += 1) {
      const sent = outgoing(deps).send({
        ...{ url: new URL(`http://rebind.test:${port}/`), method: "GET" as const },
        ...{ headersMs: 200, totalMs: 200 },
      });
      // Nothing listens on 127.0.0.9.
      expect(await failure(sent)).toMatch(round % 2 === 0 ? /too slow|unreachable/ : /refused/);
      expect(asked).toBe(round + 1);
    }
    expect(hosts).toEqual([]);
    // Of several answers, only what may be reached is connected to.
    const mixed = { resolve: async () => ["10.0.0.1", "127.0.0.1"], allowed: allow("127.0.0.1") };
    expect(await textOf(await get(`http://rebind.test:${port}/`, mixed))).toBe("inside");
    expect(hosts).toEqual([`rebind.test:${port}`]);
  });

  test("checks every redirect, and refuses too many and those to inside", async () => {
    const port = await listen((request, response) => {
      const [, to = ""] = /^\/\?to=(.*)$/.exec(request.url ?? "") ?? [];
      response.writeHead(302, { location: decodeURIComponent(to) || "/?to=" });
      response.end();
    });
    const { get: follow } = outgoing({
      allowed: allow(`127.0.0.1:${port}`),
      resolve: async () => ["127.0.0.2"],
    });
    const to = (target: string) =>
      failure(
        follow({
          ...limits,
          url: new URL(`http://127.0.0.1:${port}/?to=${encodeURIComponent(target)}`),
          redirects: 3,
        }),
      );
    for (const target of [
      ...["http://169.254.169.254/latest/meta-data", "http://[::1]/", "http://name.test/"],
      ...["file:///etc/passwd", "gopher://127.0.0.1/", "http://a:b@127.0.0.1/", "//127.0.0.3/"],
      ...["/", "javascript:1", "data:text/plain,x"],
    ]) {
      expect([target, await to(target)]).toEqual([target, "refused"]);
    }
    expect(await to("http://[")).toBe("broken");
  });

  test.each([
    "ftp://a.test/",
    "file:///etc/passwd",
    "http://u:p@a.test/",
    "x",
    `http://a.test/${"x".repeat(2048)}`,
  ])("refuses the URL %s", (url) => {
    expect(() => outgoing().checkUrl(url)).toThrow();
  });

  test("does not use proxies of the environment", async () => {
    const port = await listen((_request, response) => response.end("direct"));
    const script = `import { createOutgoing } from "./outgoing.ts"; import { parseAllowed } from "./allow-list.ts";
      const { body } = await createOutgoing({ allowed: [parseAllowed("127.0.0.1")], userAgent: "x" })
        .send({ url: new URL("http://127.0.0.1:${port}/"), method: "GET", headersMs: 5000, totalMs: 5000 });
      for await (const part of body) process.stdout.write(part);`;
    const proxy = "http://127.0.0.1:9";
    const child = Bun.spawn([process.execPath, "-e", script], {
      cwd: import.meta.dir,
      env: { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: "1" },
      stdout: "pipe",
    });
    expect(await new Response(child.stdout).text()).toBe("direct");
  });

  test("verifies the certificate for the name in the URL", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdall-outgoing-"));
    closers.push(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = spawnSync("openssl", [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=good.test"],
      ...["-addext", "subjectAltName=DNS:good.test", "-keyout", key, "-out", cert],
    ]);
    if (made.status !== 0) throw new Error(`openssl failed: ${made.stderr}`);
    const server = createTlsServer(
      { key: readFileSync(key), cert: readFileSync(cert) },
      (request, response) => response.end(request.headers.host),
    );
    closers.push(() => server.close());
    const port = await listening(server);
    const deps = { allowed: allow("127.0.0.1"), resolve: async () => ["127.0.0.1"] };
    const ca = readFileSync(cert, "utf8");
    const response = await get(`https://good.test:${port}/`, { ...deps, ca });
    expect(await textOf(response)).toBe(`good.test:${port}`);
    expect(await failure(get(`https://bad.test:${port}/`, { ...deps, ca }))).toBe("unreachable");
    expect(await failure(get(`https://good.test:${port}/`, deps))).toBe("unreachable");
    expect(await failure(get(`https://127.0.0.1:${port}/`, { ...deps, ca }))).toBe("unreachable");
  });

  const here = { allowed: allow("127.0.0.1") };

  test("ends at servers that hang, drip, send endless headers, or end early", async () => {
    const cases: [string, (socket: Socket) => void, string][] = [
      ["hangs", () => {}, "too slow"],
      ["drips headers", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "a: b\r\n"), "too slow"],
      ["drips 1xx", (socket) => drip(socket, "", "HTTP/1.1 103 Early Hints\r\n\r\n"), "too slow"],
      [
        "endless headers",
        (socket) => socket.write(`HTTP/1.1 200 OK\r\n${`a: ${"b".repeat(500)}\r\n`.repeat(100)}`),
        "broken",
      ],
      [
        "another protocol",
        (socket) =>
          socket.write(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
          ),
        "broken",
      ],
      ["no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH\r\n"), "broken"],
      [
        "ends early",
        (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
        "broken",
      ],
      [
        "stops early",
        (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
        "too slow",
      ],
      [
        "drips a body for ever",
        (socket) =>
          drip(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
        "too slow",
      ],
    ];
    const found = await Promise.all(
      cases.map(async ([name, handle]) => {
        const port = await listenRaw(handle);
        const begin = performance.now();
        const kind = await failure(get(`http://127.0.0.1:${port}/`, here).then(textOf));
        return [name, kind, performance.now() - begin < 4000];
      }),
    );
    expect(found).toEqual(cases.map(([name, , kind]) => [name, kind, true]));
  });

  test("reads only what is asked for of a gigabyte", async () => {
    let sent = 0;
    const port = await listen((_request, response) => {
      const block = Buffer.alloc(64 * 1024);
      const go = () => {
        while (sent < 1e9 && response.write(block)) sent += block.length;
        response.once("drain", go);
      };
      go();
    });
    const response = await get(`http://127.0.0.1:${port}/`, here);
    let length = 0;
    for await (const part of response.body) {
      length += part.length;
      if (length > 1024) break;
    }
    await Bun.sleep(100);
    expect(length).toBeLessThan(1e6);
    expect(sent).toBeLessThan(50e6);
  });

  test("tries another address if one is down", async () => {
    const port = await listen((_request, response) => response.end("up"));
    const resolve = async () => ["127.0.0.9", "127.0.0.1"];
    const deps = { allowed: allow("127.0.0.0/8"), resolve };
    expect(await textOf(await get(`http://name.test:${port}/`, deps))).toBe("up");
    expect(await failure(get("http://127.0.0.1:1/", here))).toBe("unreachable");
    const none = { ...here, resolve: () => Promise.reject(new Error("ENOTFOUND")) };
    expect(await failure(get("http://none.test/", none))).toBe("unresolved");
  });
});

/** Writes the first text, then the other one again and again. */
function drip(socket: Socket, first: string, text: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(text), 50);
  socket.on("close", () => clearInterval(timer));
}
