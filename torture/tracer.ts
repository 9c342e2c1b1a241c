import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { onExit } from "./on-exit.ts";

/** Every system call that changes a file or a folder, as strace knows them. */
export const CHANGING_CALLS = [
  ...["openat", "write", "pwrite64", "writev", "pwritev", "pwritev2", "copy_file_range"],
  ...["fsync", "fdatasync", "sync_file_range", "ftruncate", "truncate", "fallocate"],
  ...["link", "linkat", "rename", "renameat", "renameat2", "unlink", "unlinkat"],
  ...["mkdir", "mkdirat", "rmdir", "chmod", "fchmod", "fchmodat"],
];

/** The start of one system call of the server. */
export interface Call {
  readonly thread: number;
  readonly name: string;
  readonly path: string;
  /** Whether it changes anything; a read-only open does not. */
  readonly changes: boolean;
}

export interface Trace {
  /** In the order in which they started. */
  calls(): Call[];
  /** Detaches from the server, which continues. Idempotent. */
  detach(): Promise<void>;
}

const READY_MS = 5_000;

/** Attaches to a process and all its threads; resolves once calls are being traced. */
export const attachTracer = (pid: number, options: readonly string[]): Promise<Trace> =>
  attach(["-f", "-p", `${pid}`], 1, options);

/** Attaches only to those threads of a process whose names start with `name`. */
export async function attachToThreads(
  pid: number,
  name: string,
  options: readonly string[],
): Promise<Trace> {
  const tasks = `/proc/${pid}/task`;
  const threads = readdirSync(tasks).filter((thread) =>
    readFileSync(join(tasks, thread, "comm"), "utf8").startsWith(name),
  );
  if (threads.length === 0) throw new Error(`No thread is named ${name}.`);
  return await attach(
    threads.flatMap((thread) => ["-p", thread]),
    threads.length,
    options,
  );
}

async function attach(
  targets: readonly string[],
  count: number,
  options: readonly string[],
): Promise<Trace> {
  const folder = temporaryFolder();
  const log = join(folder, "trace");
  const tracer = spawn(["strace", "-y", "-s", "0", "-o", log, ...options, ...targets], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const clear = onExit(() => tracer.kill("SIGKILL"));
  await attached(tracer, count);
  let detaching: Promise<void> | undefined;
  const detach = async () => {
    tracer.kill("SIGINT");
    await tracer.exited;
    clear();
    removeFolder(folder);
  };
  return {
    calls: () => readCalls(log),
    detach() {
      detaching ??= detach();
      return detaching;
    },
  };
}

async function attached(
  tracer: Subprocess<"ignore", "ignore", "pipe">,
  count: number,
): Promise<void> {
  const timer = setTimeout(() => tracer.kill("SIGKILL"), READY_MS);
  const reader = tracer.stderr.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.split(" attached").length <= count) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`strace could not attach: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  clearTimeout(timer);
  void drain(reader);
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}

/**
 * A command that traces the server from its first call and logs to `log`. The tracer is a detached
 * grandchild, so that the spawned process is the server itself.
 */
export function tracedStart(log: string, options: readonly string[]): string[] {
  return ["strace", "-D", "-f", "-y", "-q", "-s", "0", "-o", log, ...options];
}

/** The calls in a log, except those whose line another thread interrupted. */
export function readCalls(log: string): Call[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .map(readCall)
    .filter((call) => call !== undefined);
}

function readCall(line: string): Call | undefined {
  const [, thread, name, rest] = /^(\d+)\s+(\w+)\((.*)$/.exec(line) ?? [];
  if (thread === undefined || name === undefined || rest === undefined) return undefined;
  const path = /^\d+<([^>]*)>/.exec(rest)?.[1] ?? /"([^"]*)"/.exec(rest)?.[1] ?? "";
  const changes = !name.startsWith("open") || rest.includes("O_CREAT");
  return { thread: Number(thread), name, path, changes };
}
