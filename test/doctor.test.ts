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
  run(["doctor", ...args], { ...server.env, PORT: String(server.port), ...env });

describe("doctor", () => {
  test("finds no errors in a healthy instance and changes nothing", async () => {
    const before = readdirSync(server.dataPath);
    const { code, stdout, stderr } = await doctor();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("No errors found");
    expect(stdout).toContain("no administrator account yet");
    expect(stdout).toContain("holdall doctor --backup");
    expect(stdout).not.toContain("No server responds");
    expect(readdirSync(server.dataPath)).toEqual(before);
  });

  test("names each error with its remedy, and shows no secret", async () => {
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
      expect(stdout).toContain("4 errors found.");
      for (const words of [
        "unencrypted",
        "AUTH_SECRET has 14 characters",
        "which is nearly everybody",
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

  test("examines the backup", async () => {
    const backup = join(folder, "backup");
    expect((await doctor({}, "--backup", backup)).stdout).toContain("is not a backup");
    expect((await run(["backup", backup], server.env)).code).toBe(0);
    expect((await doctor({}, "--backup", backup)).stdout).not.toContain("backup");
    const old = Date.now() / 1000 - 9 * 86_400;
    utimesSync(join(backup, "catalog.sqlite"), old, old);
    expect((await doctor({}, "--backup", backup)).stdout).toContain("9 days old");
  });

  test("warns when no server runs", async () => {
    const { code, stdout } = await doctor({ PORT: "1" });
    expect(code).toBe(0);
    expect(stdout).toContain("No server responds at http://127.0.0.1:1");
  });

  test("reports a PUBLIC_URL that does not lead to the server", async () => {
    const { stdout } = await doctor({
      PUBLIC_URL: "http://127.0.0.1:1",
      TRUSTED_PROXIES: "127.0.0.1",
    });
    expect(stdout).toContain("does not lead to this server");
  });
});

describe.skipIf(!hasNginx)("doctor examines the proxy", () => {
  const passOn = `proxy_pass http://127.0.0.1:${server.port}; proxy_request_buffering off;`;

  /** The output of doctor for a server behind nginx with these lines. */
  async function seenBehind(lines: string, env: Environment = {}): Promise<string> {
    const nginx = await startNginx(lines);
    try {
      const PUBLIC_URL = nginx.url;
      return (await doctor({ PUBLIC_URL, TRUSTED_PROXIES: "127.0.0.1", ...env })).stdout;
    } finally {
      await nginx.stop();
    }
  }

  test("reports a proxy that refuses the largest upload", async () => {
    const refused = /refuses uploads that MAX_UPLOAD_SIZE allows: one of 5\.0 GB/;
    expect(await seenBehind(`location / { ${passOn} }`)).toMatch(refused);
    const open = await seenBehind(`client_max_body_size 0; location / { ${passOn} }`);
    expect(open).toContain("No errors found");
    const small = { MAX_UPLOAD_SIZE: "1mb" };
    expect(await seenBehind(`location / { ${passOn} }`, small)).toContain("No errors found");
  });

  test("reports an x-accel location that is missing or public", async () => {
    const all = `client_max_body_size 0; location / { ${passOn} }`;
    const blobs = (lines: string) =>
      `${all} location /holdall-blobs/ { ${lines} alias ${server.dataPath}/blobs/; }`;
    const env = { DELIVERY: "x-accel" };
    expect(await seenBehind(all, env)).toContain("no location at /holdall-blobs/");
    expect(await seenBehind(blobs("autoindex on;"), env)).toMatch(
      /responds with \d+ at \/holdall-blobs\//,
    );
    expect(await seenBehind(blobs("internal;"), env)).toContain("No errors found");
  });
});
