import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { run, startServer } from "./harness.ts";
import { administrator, cookieOf, fromPage, signIn, trySignIn } from "./session.ts";
import { newKeyData, whoData } from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());

const holdall = (...args: string[]) => run(args, { DATA_PATH: server.dataPath });
const use = (key: string) => send(server, "GET", "/api/files", { "API-Key": key });

async function createKey(name: string, ...options: string[]): Promise<string> {
  const made = await holdall("keys", "create", name, ...options);
  expect([made.stderr, made.code]).toEqual([made.stderr, 0]);
  const key = /\bhd_[0-9A-Za-z]{43}\b/.exec(made.stdout)?.[0];
  if (key === undefined) throw new Error(`No key in: ${made.stdout}`);
  return key;
}

test("health asks the running server, and reports when none runs", async () => {
  const well = await run(["health"], { DATA_PATH: server.dataPath, PORT: String(server.port) });
  expect(well).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(well.stdout)).toMatchObject({ data: { ready: true } });
  const none = await run(["health"], { DATA_PATH: server.dataPath, PORT: "1" });
  expect(none).toMatchObject({ code: 1, stdout: "" });
  expect(none.stderr).toStartWith("No response from http://127.0.0.1:1/api/health/ready: ");
});

describe("keys while the server runs", () => {
  test("create prints a key that works at once", async () => {
    const key = await createKey(unique("cli"));
    expect((await use(key)).status).toBe(200);
  });

  test("list shows names but no secrets; revoke takes effect at once", async () => {
    const name = unique("cli-key");
    const key = await createKey(name);
    expect((await use(key)).status).toBe(200);
    const listed = await holdall("keys", "list");
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain(name);
    expect(listed.stdout).not.toContain(key);
    const line = listed.stdout.split("\n").find((one) => one.includes(name)) ?? "";
    const id = line.split(/[\s│|]+/).find((word) => word.length > 4) ?? "";
    const revoked = await holdall("keys", "revoke", id);
    expect([line, revoked.code]).toEqual([line, 0]);
    expect(expectFault(await use(key), 401)).toBe("Unauthorized");
    expect((await holdall("keys", "list")).stdout).not.toContain(name);
    expect((await use(server.apiKey)).status).toBe(200);
  });

  test("create limits a key to actions, a folder and a time, and list shows it", async () => {
    const folder = unique("cli");
    await api(server).folder(`${folder}/inside`);
    const name = unique("limited");
    const rights = [
      "--actions",
      "read, list",
      "--folder",
      `${folder}/inside`,
      "--expires-in",
      "60",
    ];
    const key = await createKey(name, ...rights);
    expect((await use(key)).status).toBe(200);
    const settings = await send(server, "GET", "/api/settings", { "API-Key": key });
    expectFault(settings, 403, /`admin`/);
    const { stdout } = await holdall("keys", "list");
    const line = stdout.split("\n").find((one) => one.includes(name));
    expect(line).toMatch(new RegExp(`  list,read  +/${folder}/inside  +-  +${name}$`));
  });

  test("s3 prints the credentials that the API shows, and the server accepts", async () => {
    const name = unique("cli-s3");
    await createKey(name);
    const id = new RegExp(`^(\\S+) .*${name}`, "m").exec(
      (await holdall("keys", "list")).stdout,
    )?.[1];
    const { stdout, stderr, code } = await holdall("keys", "s3", `${id}`);
    expect([code, stderr]).toEqual([0, `S3 credentials of the API key "${name}":\n`]);
    const [, accessKeyId = "", secretAccessKey = ""] =
      /^AWS_ACCESS_KEY_ID=(\w+)\nAWS_SECRET_ACCESS_KEY=(\S+)\nAWS_ENDPOINT_URL=http:\S+\nAWS_REGION=us-east-1\n$/.exec(
        stdout,
      ) ?? [];
    expect(accessKeyId).toBe(`${id}`.replaceAll("-", ""));
    const shown = await api(server).json("POST", "/api/keys/s3", { id });
    expect(JSON.parse(shown.text).data).toEqual({ accessKeyId, secretAccessKey });
  });

  test("revoke ends the keys that the key has created", async () => {
    const parent = await createKey(unique("cli"), "--actions", "list,keys");
    const child = api({ url: server.url, apiKey: parent });
    const made = await child.json("POST", "/api/keys", { name: "child" });
    const { key, secret } = expectData(made, newKeyData);
    expect((await use(secret)).status).toBe(200);
    const revoked = await holdall("keys", "revoke", `${key.parentId}`);
    expect(revoked.stdout).toBe(`Revoked ${key.parentId}.\nRevoked ${key.id}.\n`);
    expectFault(await use(secret), 401);
  });

  test.each([
    [["keys", "create", "x", "--actions", "read,fly"], '"fly" is none of them'],
    [["keys", "create", "x", "--actions", ""], "--actions takes names"],
    [["keys", "create", "x", "--folder", "nowhere"], "No such folder"],
    [["keys", "create", "x", "--folder", ""], "--folder takes the key of a folder, but is empty"],
    [["keys", "create", "x", "--folder", "/"], "To limit the key to no folder, leave it out."],
    [["keys", "create", "x", "--folder", "../up"], "must not be `.` or `..`"],
    [["keys", "list", "--folder", "a"], "Only `keys create` takes --folder"],
  ])("%p is refused with the reason", async (words, reason) => {
    const ended = await holdall(...words);
    expect([ended.code === 0, ended.stdout]).toEqual([false, ""]);
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  test.each([
    "keys",
    "keys create",
    "keys revoke",
    "keys revoke nope",
    "keys rotate",
    "keys rotate nope",
    "keys rotate nope --keep-old 8d",
    "keys rotate nope --keep-old soon",
    "keys list --keep-old 1h",
    "keys s3",
    "keys s3 nope",
    "keys unknown",
    "admin",
    "admin unknown",
  ])("%s is refused with a plain sentence", async (words) => {
    const ended = await holdall(...words.split(" "));
    expect(ended.code).not.toBe(0);
    expect(ended.code).not.toBeNull();
    expect(ended.stderr.trim().length).toBeGreaterThan(10);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  test("create refuses a blank name", async () => {
    expect((await holdall("keys", "create", "   ")).code).not.toBe(0);
  });
});

test.each([
  ["backup /nowhere --repair", "`backup` takes no --repair."],
  ["serve --folder x", "`serve` takes no --folder."],
  ["keys list --json", "`keys` takes no --json."],
  ["keys create x --actions read --actions list", "--actions is given more than once."],
  ["keys create x --admin --actions read", "either --actions or --admin, not both"],
  ["keys create x --permissions read", "'--permissions'"],
  ["verify --repiar", "'--repiar'"],
])(
  "options of other commands, repeated and unknown ones are refused: %s",
  async (line, message) => {
    const refused = await holdall(...line.split(" "));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(message);
  },
);

test.each([
  ["dry-run", "npm_config_dry_run"],
  ["to", "npm_config_token_description"],
  ["by", "npm_config_bypass_2fa"],
])("--%s, which npm keeps for itself, is not missing silently", async (option, variable) => {
  const env = { npm_lifecycle_event: "holdall", [variable]: "true" };
  const { code, stderr } = await run(["import", "s3://photos"], env);
  expect(code).toBe(2);
  expect(stderr).toContain(`npm has kept --${option} for itself. Put -- before the arguments`);
});

test("commands that messages name have the data folder, quoted for a shell", async () => {
  const parent = mkdtempSync(join(tmpdir(), "holdall-named-"));
  const dataPath = join(parent, "my files");
  try {
    await (await startServer({ DATA_PATH: dataPath, INITIAL_API_KEY: undefined })).stop();
    const env = { DATA_PATH: dataPath };
    const { stderr } = await run(["keys", "s3"], env);
    expect(stderr).toContain(`\`DATA_PATH='${dataPath}' holdall keys list\``);
    chmodSync(dataPath, 0o755);
    chmodSync(join(dataPath, "auth-secret"), 0o644);
    const weak = { ...env, INITIAL_API_KEY: "a".repeat(20), PORT: "1" };
    const { stdout } = await run(["doctor"], weak);
    for (const command of [
      `DATA_PATH='${dataPath}' holdall keys create NAME`,
      `chmod 700 '${dataPath}'`,
      `chmod 600 '${join(dataPath, "auth-secret")}'`,
    ]) {
      expect(stdout).toContain(`${command}\n`);
    }
  } finally {
    rmSync(parent, { recursive: true });
  }
});

test("keys create gives the rights to files, and with --admin all", async () => {
  await createKey("plain");
  await createKey("all", "--admin");
  const { stdout } = await holdall("keys", "list");
  expect(stdout).toMatch(/ list,read,write,delete,share +\/ +- +plain\n/);
  expect(stdout).toMatch(/ admin +\/ +- +all\n/);
});

describe("in a folder without an instance", () => {
  const empty = mkdtempSync(join(tmpdir(), "holdall-empty-"));
  afterAll(() => rmSync(empty, { recursive: true }));
  const dataPath = join(empty, "data");

  test.each([
    "keys create x",
    "keys list",
    "keys revoke x",
    "admin reset-password",
    `backup ${empty}/backup`,
    `export ${empty}/export`,
    "import test",
    "verify",
    "verify --repair",
    "verify --last",
    "health",
  ])("%s names the folder, and creates nothing", async (line) => {
    const ended = await run(line.split(" "), { DATA_PATH: dataPath });
    expect([ended.code === 0, ended.stdout]).toEqual([false, ""]);
    expect(ended.stderr).toContain(`there is no instance of Holdall in ${dataPath}`);
    expect(readdirSync(empty)).toEqual([]);
  });

  test("doctor examines the machine, and says so", async () => {
    const { stdout } = await run(["doctor"], { DATA_PATH: dataPath, PORT: "1" });
    expect(stdout).toContain(`There is no instance of Holdall in ${dataPath}`);
    expect(stdout).toContain(`DATA_PATH=${dataPath} holdall backup PATH`);
    expect(readdirSync(empty)).toEqual([]);
  });
});

test("admin reset-password ends the old password and every session", async () => {
  const cookie = await signIn(server);
  const reset = await holdall("admin", "reset-password");
  expect([reset.stderr, reset.code]).toEqual([reset.stderr, 0]);
  const password = reset.stdout.trim();
  expectFault(await fromPage(server, "GET", "/auth/session", cookie), 401);
  const old = await trySignIn(server, administrator.ADMIN_EMAIL, administrator.ADMIN_PASSWORD);
  expectFault(old, 401);
  await signIn(server, password);
});

test("admin invites people, grants folders, and changes accounts", async () => {
  const invited = await holdall("admin", "invite", "--folder", "cli", "--actions", "list");
  expect(invited).toMatchObject({ code: 1, stderr: expect.stringContaining("Folder not found") });
  const { folderId } = await api(server).put("cli/a.txt");
  const invite = await holdall("admin", "invite", "--folder", "cli", "--actions", "read,list");
  const token = invite.stdout.trim().split("#")[1];
  expect(await holdall("admin", "invites")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("member"),
  });
  const email = "grace@example.com";
  const body = { token, email, password: "a long enough password" };
  const cookie = cookieOf(await fromPage(server, "POST", "/auth/invite", "", body));
  const spaces = async () =>
    expectData(await fromPage(server, "GET", "/auth/session", cookie), whoData).spaces;
  expect(await spaces()).toMatchObject([{ folder: { id: folderId }, actions: ["list", "read"] }]);

  const granted = await holdall("admin", "grant", email, "--folder", "/", "--actions", "list");
  expect(await spaces()).toHaveLength(2);
  expect((await holdall("admin", "grants")).stdout).toContain(email);
  expect((await holdall("admin", "remove-grant", granted.stdout.trim())).code).toBe(0);
  expect(await spaces()).toHaveLength(1);

  expect((await holdall("admin", "set-role", email, "owner")).stdout).toContain("owner");
  expect((await fromPage(server, "GET", "/api/accounts", cookie)).status).toBe(200);
  expect((await holdall("admin", "disable", email)).code).toBe(0);
  expectFault(await fromPage(server, "GET", "/auth/session", cookie), 401);
  expect((await holdall("admin", "accounts")).stdout).toMatch(
    /grace@example\.com +owner +disabled/,
  );
  expect((await holdall("admin", "enable", email)).code).toBe(0);
  const last = await holdall("admin", "set-role", administrator.ADMIN_EMAIL, "member");
  expect(last.code).toBe(0);
  const refused = await holdall("admin", "remove-account", email);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("only owner") });
  expect((await holdall("admin", "set-role", administrator.ADMIN_EMAIL, "owner")).code).toBe(0);
  expect((await holdall("admin", "remove-account", email)).code).toBe(0);
  expect((await holdall("admin", "add-account", email, "--role", "boss")).code).toBe(2);
  const added = await holdall("admin", "add-account", email);
  expect(added.stdout.trim()).toMatch(/^\w{20}$/);
});
