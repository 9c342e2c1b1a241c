import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type Environment, removeFolder, run, startServer, temporaryFolder } from "./harness.ts";
import { hasNginx, startNginx } from "./nginx.ts";
import { administrator } from "./session.ts";

const KEY = "q8Zr2LxV0nTf5KyWc7HdJm3PbSgA9uEo";
const server = await startServer({
  INITIAL_API_KEY: KEY,
  RATE_LIMIT_API: undefined,
  RATE_LIMIT_HOSTING: undefined,
});
const folder = temporaryFolder();
afterAll(async () => {
  await server.discard();
  removeFolder(folder);
});

const doctor = (env: Environment = {}, ...args: string[]) =>
  run(["doctor", ...args], { ...server.env, PORT: String(server.port), ...env }, 30_000);

describe("the doctor", () => {
  test("finds nothing wrong with an instance that is well, and changes nothing", async () => {
    const before = readdirSync(server.dataPath);
    const { code, stdout, stderr } = await doctor();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Nothing is wrong");
    expect(stdout).toContain("no administrator's account yet");
    expect(stdout).toContain("holdall doctor --backup");
    expect(stdout).not.toContain("No server answers");
    expect(readdirSync(server.dataPath)).toEqual(before);
  });

  test("says what is wrong in plain words, what to do about it, and no secret", async () => {
    const secret = "a short secret";
    chmodSync(server.dataPath, 0o755);
    try {
      const env = {
        HOST: "0.0.0.0",
        AUTH_SECRET: secret,
        TRUSTED_PROXIES: "0.0.0.0/0",
        ...administrator,
      };
      const { code, stdout } = await doctor(env);
      expect(code).toBe(1);
      expect(stdout).toContain("4 things are wrong.");
      for (const words of [
        "unencrypted",
        "AUTH_SECRET has 14 characters",
        "which is everybody",
        "chmod 700",
      ]) {
        expect(stdout).toContain(words);
      }
      expect(stdout).not.toContain(secret);
      expect(stdout).not.toContain(KEY);
    } finally {
      chmodSync(server.dataPath, 0o700);
    }
  });

  test("looks at the backup", async () => {
    const backup = join(folder, "backup");
    expect((await doctor({}, "--backup", backup)).stdout).toContain("is no backup");
    expect((await run(["backup", backup], server.env, 30_000)).code).toBe(0);
    expect((await doctor({}, "--backup", backup)).stdout).not.toContain("backup");
    const old = Date.now() / 1000 - 9 * 86_400;
    utimesSync(join(backup, "catalog.sqlite"), old, old);
    expect((await doctor({}, "--backup", backup)).stdout).toContain("9 days old");
  });

  test("does without a server, and says so", async () => {
    const { code, stdout } = await doctor({ PORT: "1" });
    expect(code).toBe(0);
    expect(stdout).toContain("No server answers at http://127.0.0.1:1");
  });

  test("says when PUBLIC_URL leads nowhere", async () => {
    const { stdout } = await doctor({
      PUBLIC_URL: "http://127.0.0.1:1",
      TRUSTED_PROXIES: "127.0.0.1",
    });
    expect(stdout).toContain("does not lead to this server");
  });
});

describe.skipIf(!hasNginx)("the doctor asks the proxy", () => {
  const passOn = `proxy_pass http://127.0.0.1:${server.port}; proxy_request_buffering off;`;

  /** What it says of a server behind nginx with these lines. */
  async function seenBehind(lines: string, env: Environment = {}): Promise<string> {
    const nginx = await startNginx(lines);
    try {
      const PUBLIC_URL = nginx.url;
      return (await doctor({ PUBLIC_URL, TRUSTED_PROXIES: "127.0.0.1", ...env })).stdout;
    } finally {
      await nginx.stop();
    }
  }

  test("whether it lets the largest upload through", async () => {
    const refused = /refuses uploads that MAX_UPLOAD_SIZE allows: one of 5\.0 GB/;
    expect(await seenBehind(`location / { ${passOn} }`)).toMatch(refused);
    const open = await seenBehind(`client_max_body_size 0; location / { ${passOn} }`);
    expect(open).toContain("Nothing is wrong");
    const small = { MAX_UPLOAD_SIZE: "1mb" };
    expect(await seenBehind(`location / { ${passOn} }`, small)).toContain("Nothing is wrong");
  });

  test("whether it sends the bytes that are handed over to it, and to nobody else", async () => {
    const all = `client_max_body_size 0; location / { ${passOn} }`;
    const blobs = (lines: string) =>
      `${all} location /holdall-blobs/ { ${lines} alias ${server.dataPath}/blobs/; }`;
    const env = { DELIVERY: "x-accel" };
    expect(await seenBehind(all, env)).toContain("no place of its own at /holdall-blobs/");
    expect(await seenBehind(blobs("autoindex on;"), env)).toMatch(
      /answers \d+ at \/holdall-blobs\//,
    );
    expect(await seenBehind(blobs("internal;"), env)).toContain("Nothing is wrong");
  });
});
