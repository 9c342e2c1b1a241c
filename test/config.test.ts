import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, removeFolder, run, temporaryFolder } from "./harness.ts";

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** Starts with these settings, and expects that the server ends before it has opened anything. */
async function expectRefused(env: Environment): Promise<string> {
  const dataPath = join(folder, "data");
  const settings = { HOST: "127.0.0.1", PORT: "0", DATA_PATH: dataPath, ...env };
  const { code, stdout, stderr } = await run(["serve"], settings);
  expect([stderr, code === 0, code === null]).toEqual([stderr, false, false]);
  expect(existsSync(dataPath)).toBe(false);
  return `${stdout}${stderr}`;
}

/** Settings whose values the message must not repeat. */
const secrets = new Set([
  "INITIAL_API_KEY",
  "ADMIN_PASSWORD",
  "AUTH_SECRET",
  "INITIAL_S3_SECRET_KEY",
]);

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
  RATE_LIMIT_LINKS: ["abc", "-1", "1.5"],
  RATE_LIMIT_S3: ["abc", "-1", "1.5"],
  RATE_LIMIT_SESSION: ["abc", "-1", "1.5"],
  S3_API_DOMAIN: ["https://s3.example.com", "s3.example.com:9000", "-a.example.com", "a..b"],
  S3_PORT: ["abc", "-1", "65536", "9000 x"],
  INITIAL_S3_ACCESS_KEY: ["ab", "a/b", "a:b", "a b", "0".repeat(32)],
  INITIAL_S3_SECRET_KEY: ["seven77", "with a space in it"],
  INITIAL_BUCKETS: ["ab", "Uploads", "a..b", "uploads:public", "uploads:upload", "uploads,uploads"],
  TRUSTED_PROXIES: ["nonsense", "127.0.0.1/99", "10.0.0.0/8, x", "300.1.1.1"],
  ACTIVITY_RETENTION_DAYS: ["abc", "-1", "1.5", "36501"],
  MIN_FREE_SPACE: ["abc", "-1", "5xb"],
  INITIAL_API_KEY: ["short", "fifteen-letters"],
  ADMIN_EMAIL: ["nobody", "a b@c.d"],
  ADMIN_PASSWORD: ["short"],
  PUBLIC_URL: ["nonsense", "ftp://files.example.com", "//files.example.com"],
  LOG_LEVEL: ["shout"],
};

/** What a setting needs to be the only mistake. */
const needed: Readonly<Record<string, Environment>> = {
  INITIAL_S3_ACCESS_KEY: { INITIAL_S3_SECRET_KEY: "long enough a secret".replaceAll(" ", "-") },
  INITIAL_S3_SECRET_KEY: { INITIAL_S3_ACCESS_KEY: "compose" },
  ADMIN_EMAIL: { ADMIN_PASSWORD: "long enough a password" },
  ADMIN_PASSWORD: { ADMIN_EMAIL: "ada@example.com" },
};

function expectNamed(printed: string, name: string, value: string): void {
  const line = printed.split("\n").find((each) => each.includes(name)) ?? "";
  expect([line, line.includes(value)]).toEqual([line, !secrets.has(name)]);
  expect(line.replace(name, "").replace(value, "").trim().length).toBeGreaterThan(15);
}

const linesOf = (printed: string) => printed.split("\n").filter((line) => line.trim() !== "");

describe("a wrong value stops the start at once with one line", () => {
  test.each(Object.keys(wrong))("of %s", async (name) => {
    const value = wrong[name]?.[0] ?? "";
    const printed = await expectRefused({ ...needed[name], [name]: value });
    expect(linesOf(printed)).toHaveLength(1);
    expectNamed(printed, name, value);
  });
});

const rounds = Math.max(...Object.values(wrong).map((values) => values.length));

test.each(Array.from({ length: rounds }, (_, round) => round))(
  "wrong values of all settings are named at once, a line each (round %i)",
  async (round) => {
    const mistakes = Object.entries(wrong).flatMap(([name, values]) => {
      const value = values[round];
      return value === undefined ? [] : [[name, value] as const];
    });
    const printed = await expectRefused({
      ...Object.assign({}, ...mistakes.map(([name]) => needed[name])),
      ...Object.fromEntries(mistakes),
    });
    expect([printed, linesOf(printed).length]).toEqual([printed, mistakes.length]);
    for (const [name, value] of mistakes) expectNamed(printed, name, value);
  },
);

test("an AUTH_SECRET shorter than 32 characters is refused in production", async () => {
  const short = "only-thirty-one-characters-long";
  expect(short.length).toBe(31);
  const env = { AUTH_SECRET: short, NODE_ENV: "production" };
  const printed = await expectRefused(env);
  expect(printed).toMatch(/AUTH_SECRET.*32/);
  expect(printed).not.toContain(short);
});

test("an unknown command is refused with a hint at `help`, which lists the known ones", async () => {
  const ended = await run(["unknown"], { DATA_PATH: join(folder, "data") });
  expect(ended.code).not.toBe(0);
  expect(ended.code).not.toBeNull();
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/unknown.*help/);
  const help = await run(["help"], { DATA_PATH: join(folder, "data") });
  expect(help.code).toBe(0);
  expect(help.stdout).toMatch(/serve[\s\S]*keys/);
});
