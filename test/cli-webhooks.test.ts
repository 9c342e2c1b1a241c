import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { api, send, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { removeFolder, run, startServer, temporaryFolder } from "./harness.ts";
import { startReceiver } from "./webhook-receiver.ts";

const notes = temporaryFolder();
const source = createServer((request, response) => {
  if (request.url === "/a.txt") response.end("from a URL");
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", () => resolve()));
const address = source.address();
const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
const server = await startServer({ FETCH_BY_KEYS: "true", OUTGOING_ALLOW: "127.0.0.1" });
afterAll(async () => {
  source.close();
  removeFolder(notes);
  await server.discard();
});

const env = { HOLDALL_URL: server.url, HOLDALL_KEY: server.apiKey, XDG_STATE_HOME: notes };

test("put of a URL makes the server fetch the file", async () => {
  const folder = unique("cli");
  const put = await run(["put", `${base}/a.txt`, "--to", `${folder}/`], env);
  expect(put).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(put.stdout.split("\n")[0] ?? "")).toMatchObject({
    ...{ type: "stored", key: `${folder}/a.txt`, url: `${base}/a.txt` },
  });
  expect((await send(server, "GET", `/api/hosting/${folder}/a.txt`)).text).toBe("from a URL");
  const named = await run(["put", `${base}/a.txt`, "--to", `${folder}/b.txt`, "--text"], env);
  expect(named.stdout).toContain(`${folder}/b.txt`);
  const missing = await run(["put", `${base}/none.txt`, "--to", folder], env);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("404");
});

test("listen sends changes to a local receiver, with signatures", async () => {
  const receiver = await startReceiver();
  const folder = unique("listen");
  await api(server).folder(folder);
  const child = spawn(
    process.execPath,
    [join(import.meta.dir, "../server/main.ts"), "listen", receiver.url, "--folder", folder],
    { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  try {
    await eventually("it listens", () => output.includes("listening"));
    const { secret } = JSON.parse(output.split("\n")[0] ?? "");
    await api(server).put(`${folder}/a.txt`, "a");
    await api(server).put(`${unique("other")}/a.txt`, "a");
    await eventually("a delivery", () => receiver.received.length > 0);
    const [first] = receiver.received;
    if (first === undefined) throw new Error("Nothing arrived.");
    expect(new Webhook(secret).verify(first.body, first.headers)).toMatchObject({
      ...{ type: "file.created", data: { key: `${folder}/a.txt` } },
    });
    await eventually("it is printed", () => output.includes('"status":204'));
    expect(receiver.received).toHaveLength(1);
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    receiver.close();
  }
});

test("listen and put refuse other arguments", async () => {
  expect((await run(["listen"], env)).code).toBe(2);
  expect((await run(["listen", "ftp://a.test/"], env)).code).toBe(2);
});
