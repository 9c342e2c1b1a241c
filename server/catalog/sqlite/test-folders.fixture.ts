import { afterEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates folders and starts processes that are removed and killed after each test. */
export function createTestFolders() {
  const folders: string[] = [];
  const children: { kill(signal: "SIGKILL"): void; readonly exited: Promise<number> }[] = [];

  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill("SIGKILL");
      await child.exited;
    }
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  return {
    folder(): string {
      const folder = mkdtempSync(join(tmpdir(), "holdall-catalog-"));
      folders.push(folder);
      return folder;
    },
    /** Starts a task of `child.fixture.ts`, wrapped in the command `wrap`, if any. */
    start(task: string, path: string, name = "", wrap: readonly string[] = []) {
      const script = join(import.meta.dir, "child.fixture.ts");
      const child = Bun.spawn([...wrap, process.execPath, script, task, path, name], {
        stdout: "pipe",
        stderr: "inherit",
      });
      children.push(child);
      return child;
    },
  };
}

/** The next output of the process. */
export async function firstOutput(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return new TextDecoder().decode(value);
}
