import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "./expectations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dataPath = mkdtempSync(join(tmpdir(), "holdall-test-"));
afterAll(() => rmSync(dataPath, { recursive: true }));

const KEY = "npm-start-key-0123456789";

/** `npm start` with the first URL that it prints. */
async function start() {
  const child = Bun.spawn(["npm", "start"], {
    cwd: root,
    env: { ...process.env, PORT: "0", DATA_PATH: dataPath, INITIAL_API_KEY: KEY },
    stdout: "pipe",
    stderr: "ignore",
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const url = /http:\/\/\S+/.exec(text)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`npm start printed no URL:\n${text}`);
}

test("npm start serves, keeps what it stores, and stops together with npm", async () => {
  for (const isFirst of [true, false]) {
    const { url, child } = await start();
    try {
      if (isFirst) {
        const body = new FormData();
        body.append("files", new File(["kept"], "a.txt"));
        const stored = await fetch(`${url}/api/files`, {
          method: "POST",
          headers: { "API-Key": KEY },
          body,
        });
        expect(stored.status).toBe(200);
      }
      expect(await (await fetch(`${url}/api/hosting/a.txt`)).text()).toBe("kept");
      expect(await (await fetch(`${url}/docs`)).text()).toContain("API reference");
    } finally {
      child.kill("SIGTERM");
    }
    await child.exited;
    await eventually("the server has ended", () =>
      fetch(`${url}/api/health`).then(
        () => false,
        () => true,
      ),
    );
  }
});
