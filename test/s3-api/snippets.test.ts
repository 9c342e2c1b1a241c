import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { s3PlaceOf } from "../../dashboard/src/pages/keys/s3-place.ts";
import { S3_CLIENTS, type S3Client } from "../../dashboard/src/pages/keys/s3-snippets.ts";
import { api, unique } from "../client.ts";
import { expectData } from "../expectations.ts";
import { removeFolder, startServer, temporaryFolder } from "../harness.ts";
import { isMissing } from "../reason-to-skip.fixture.ts";
import { newKeyData } from "../shapes.ts";

/* Runs what the dashboard shows for each S3 client, as it is, with the client itself. */

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const PYTHON = "/usr/bin/python3";
const hasBoto3 = Bun.spawnSync([PYTHON, "-c", "import boto3"]).success;

/** What each client needs here. */
const PROGRAMS: Readonly<Record<S3Client, boolean>> = {
  "aws-cli": Bun.spawnSync(["aws", "--version"]).success,
  rclone: Bun.which("rclone") !== null,
  restic: Bun.which("restic") !== null,
  s3cmd: Bun.which("s3cmd") !== null,
  boto3: hasBoto3,
  JavaScript: true,
};

/** The snippets as a script; those that are files are written to the home folder. */
function scriptOf(
  client: S3Client,
  home: string,
  snippets: readonly { label: string; code: string }[],
) {
  const lines = ["set -e"];
  for (const { label, code } of snippets) {
    const file = / (~\/\S+)$/.exec(label)?.[1]?.replace("~", home);
    if (file !== undefined) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
    } else if (client === "boto3") {
      writeFileSync(join(home, "snippet.py"), code);
      lines.push(`${PYTHON} snippet.py`);
    } else if (client === "JavaScript") {
      // The SDK is installed already.
      if (code.startsWith("npm ")) continue;
      writeFileSync(join(home, "snippet.mjs"), code);
      lines.push(`${process.execPath} snippet.mjs`);
    } else {
      lines.push(code);
    }
  }
  return lines.join("\n");
}

function homeFolder(): string {
  const home = temporaryFolder();
  for (const folder of ["photos", "documents"]) {
    mkdirSync(join(home, folder));
    writeFileSync(join(home, folder, "a file.txt"), "content");
  }
  writeFileSync(join(home, "photo.jpg"), "photo");
  symlinkSync(join(import.meta.dir, "../../node_modules"), join(home, "node_modules"));
  return home;
}

async function run(script: string, home: string): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(AWS|RCLONE)_/.test(name));
  const env = { ...Object.fromEntries(inherited), HOME: home, RESTIC_PASSWORD: "password" };
  const child = spawn("bash", ["-c", script], { cwd: home, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output };
}

const clients: readonly S3Client[] = [
  "aws-cli",
  "rclone",
  "restic",
  "s3cmd",
  "boto3",
  "JavaScript",
];

describe.each([...clients])("the dashboard's snippets for %s", (client) => {
  const skip = isMissing(client, PROGRAMS[client]);

  test.skipIf(skip)("work with a key for one folder, first to write and then to read", async () => {
    const folder = `${unique("snippets")}/it's "a" folder`;
    await a.json("POST", "/api/folders", { folder });
    const home = homeFolder();
    try {
      for (const actions of [undefined, ["list", "read"]] as const) {
        const made = await a.json("POST", "/api/keys", { name: "S3", folder, actions });
        const { key } = expectData(made, newKeyData);
        const place = s3PlaceOf(key);
        if (place === undefined) throw new Error("The folder is in a bucket.");
        const credentials = JSON.parse(
          (await a.json("POST", "/api/keys/s3", { id: key.id })).text,
        ).data;
        const canWrite = actions === undefined;
        const snippets = S3_CLIENTS[client]({
          ...place,
          ...credentials,
          endpoint: server.url,
          canWrite,
        });
        const { code, output } = await run(scriptOf(client, home, snippets), home);
        expect([code, output]).toEqual([0, output]);
        expect((await a.browse(folder)).files.length + (client === "restic" ? 1 : 0)).toBe(1);
      }
    } finally {
      removeFolder(home);
    }
  });

  test.skipIf(skip)("work with a key for everything", async () => {
    const { key } = expectData(await a.json("POST", "/api/keys", { name: "S3" }), newKeyData);
    const credentials = JSON.parse(
      (await a.json("POST", "/api/keys/s3", { id: key.id })).text,
    ).data;
    const home = homeFolder();
    // The snippet creates the bucket, except for JavaScript.
    const bucket = unique("all");
    if (client === "JavaScript") await a.json("POST", "/api/folders", { folder: bucket });
    try {
      const place = { bucket, prefix: "", canCreate: true, canWrite: true };
      const snippets = S3_CLIENTS[client]({ ...place, ...credentials, endpoint: server.url });
      const { code, output } = await run(scriptOf(client, home, snippets), home);
      expect([code, output]).toEqual([0, output]);
      await a.browse(bucket);
    } finally {
      removeFolder(home);
    }
  });
});
