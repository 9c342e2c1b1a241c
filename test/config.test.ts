import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Environment, removeFolder, run, temporaryFolder } from "./harness.ts";

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const start = (env: Environment) =>
  run(["serve"], { HOST: "127.0.0.1", PORT: "0", DATA_PATH: join(folder, "data"), ...env }, 5_000);

/** Values of which the message must not repeat a letter. */
const secrets = new Set(["INITIAL_API_KEY", "ADMIN_PASSWORD", "AUTH_SECRET"]);

const wrong: Readonly<Record<string, readonly string[]>> = {
  PORT: ["abc", "-1", "65536", "80.5", "0x50", "8e1", "8080 x"],
  MAX_UPLOAD_SIZE: ["lots", "-1", "5xb", "5 5", "1e9", "0x10", "NaN", "Infinity"],
  MAX_FILES_PER_REQUEST: ["abc", "0", "-1", "1.5", "1e2"],
  DEFAULT_FILE_VISIBILITY: ["secret", "Publicly", "0"],
  DEFAULT_PRESIGN_TTL_SECONDS: ["abc", "0", "-1", "1.5", "1h30"],
  MAX_PRESIGN_TTL_SECONDS: ["abc", "0", "-1", "1.5"],
  MAX_DELETE_BATCH: ["abc", "0", "-1", "1.5", "0x7f"],
  HOSTING_CACHE_MAX_AGE: ["abc", "-1", "1.5"],
  RATE_LIMIT_API: ["abc", "-1", "1.5", "1e99"],
  RATE_LIMIT_HOSTING: ["abc", "-1", "1.5"],
  TRUSTED_PROXIES: ["nonsense", "127.0.0.1/99", "10.0.0.0/8, x", "300.1.1.1"],
  ACTIVITY_RETENTION_DAYS: ["abc", "-1", "1.5", "36501"],
  MIN_FREE_SPACE: ["abc", "-1", "5xb"],
  INITIAL_API_KEY: ["short", "fifteen-letters"],
  ADMIN_EMAIL: ["nobody", "a b@c.d"],
  ADMIN_PASSWORD: ["short"],
  PUBLIC_URL: ["nonsense", "ftp://files.example.com", "//files.example.com"],
  LOG_LEVEL: ["shout"],
};

/** What a setting needs beside itself to be the only thing that is wrong. */
const beside: Readonly<Record<string, Environment>> = {
  ADMIN_EMAIL: { ADMIN_PASSWORD: "long enough a password" },
  ADMIN_PASSWORD: { ADMIN_EMAIL: "ada@example.com" },
};

for (const [name, values] of Object.entries(wrong)) {
  describe(`${name} stops the start`, () => {
    test.each(values)("as %p", async (value) => {
      const env = { ...beside[name], [name]: value };
      let ended = await start(env);
      if (ended.milliseconds > 1_000) ended = await start(env);
      const printed = `${ended.stdout}${ended.stderr}`;
      expect([printed, ended.code === 0, ended.code === null]).toEqual([printed, false, false]);
      expect(ended.milliseconds).toBeLessThan(1_000);
      const lines = printed.split("\n").filter((line) => line.trim() !== "");
      expect(lines.length).toBe(1);
      expect(printed).toContain(name);
      if (secrets.has(name)) expect(printed).not.toContain(value);
      else expect(printed).toContain(value);
      expect(printed.replace(name, "").replace(value, "").trim().length).toBeGreaterThan(15);
    });
  });
}

test("every mistake is named, not only the first", async () => {
  const ended = await start({ PORT: "abc", MAX_DELETE_BATCH: "none", LOG_LEVEL: "shout" });
  const printed = `${ended.stdout}${ended.stderr}`;
  for (const name of ["PORT", "MAX_DELETE_BATCH", "LOG_LEVEL"]) expect(printed).toContain(name);
  expect(ended.code).not.toBe(0);
});

describe("AUTH_SECRET shorter than 32 characters", () => {
  const short = "only-thirty-one-characters-long";

  test("is refused in production", async () => {
    expect(short.length).toBe(31);
    const ended = await start({ AUTH_SECRET: short, NODE_ENV: "production" });
    const printed = `${ended.stdout}${ended.stderr}`;
    expect(ended.code).not.toBe(0);
    expect(ended.code).not.toBeNull();
    expect(printed).toMatch(/AUTH_SECRET.*32/);
    expect(printed).not.toContain(short);
    expect(ended.milliseconds).toBeLessThan(2_000);
  });
});

test("an unknown command is refused and told where the known ones are", async () => {
  const ended = await run(["unknown"], { DATA_PATH: join(folder, "data") });
  expect(ended.code).not.toBe(0);
  expect(ended.code).not.toBeNull();
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/unknown.*help/);
  const help = await run(["help"], { DATA_PATH: join(folder, "data") });
  expect(help.code).toBe(0);
  expect(help.stdout).toMatch(/serve[\s\S]*keys/);
});
