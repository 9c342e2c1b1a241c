import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { S3TestServer } from "./s3-server.fixture.ts";

/** What the steps of a client use. */
export interface ClientRun {
  readonly server: S3TestServer;
  /** An empty folder that only the client uses. */
  readonly folder: string;
  /** A name for a bucket. */
  readonly bucket: string;
  /** Environment variables that most clients read. */
  readonly env: Readonly<Record<string, string>>;
  readonly size: ClientSize;
  /** Prints how long it took. */
  measure<T>(what: string, action: () => T): T;
  /** Runs a program and returns what it prints. Throws if it fails. */
  run(program: string, ...args: readonly string[]): string;
}

/** How much data clients that are made for it move. */
export interface ClientSize {
  readonly files: number;
  /** The size of one large file. */
  readonly bytes: number;
}

/** A program that speaks S3, with what it must be able to do. */
export interface S3ClientProgram {
  readonly name: string;
  /** The command that shows whether it is installed. Absent for a package of npm. */
  readonly probe?: readonly string[];
  /** Where its server must listen. Default: any port. */
  readonly port?: number;
  /** What else it needs and this machine does not have. */
  readonly missing?: () => string | undefined;
  readonly env?: (run: Pick<ClientRun, "server" | "folder">) => Readonly<Record<string, string>>;
  readonly steps: (run: ClientRun) => void | Promise<void>;
}

/** A program that takes longer hangs, or retries what fails. */
const STEP_MS = 900_000;

export function createClientRun(
  client: S3ClientProgram,
  server: S3TestServer,
  folder: string,
  size: ClientSize,
): ClientRun {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
    AWS_DEFAULT_REGION: "us-east-1",
    ...client.env?.({ server, folder }),
  };
  return {
    measure(what, action) {
      const start = performance.now();
      const print = () =>
        console.log(
          `  ${client.name} ${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`,
        );
      const result = action();
      if (result instanceof Promise) void result.then(print, () => undefined);
      else print();
      return result;
    },
    server,
    folder,
    env,
    size,
    bucket: `of-${client.name.replaceAll(/\W/g, "-")}`,
    run(program, ...args) {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: folder,
        env,
        encoding: "utf8",
        maxBuffer: 1024 ** 3,
        timeout: STEP_MS,
      });
      if (status === 0) return stdout;
      throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
    },
  };
}

/** A folder with files of several sizes and names, one of them larger than a part. */
export function writeTree(folder: string): void {
  const files = {
    "empty.txt": 0,
    "small.txt": 11,
    "with space & ümlaut.bin": 70_000,
    "deep/er/and/deeper.bin": 300_000,
    "large.bin": 20 * 1024 * 1024 + 17,
  };
  for (const [name, size] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, randomBytes(size));
  }
}

/** A folder with many files of up to 40 KB, a hundred in each subfolder. */
export function writeFiles(folder: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const parent = join(folder, `folder ${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, `file-${at}.bin`), randomBytes((at * 997) % 40_000));
  }
}

/** A folder with the file `random.bin`. */
export function writeLarge(folder: string, bytes: number): void {
  mkdirSync(folder, { recursive: true });
  const step = 16 * 1024 ** 2;
  for (let at = 0; at < bytes; at += step) {
    appendFileSync(join(folder, "random.bin"), randomBytes(Math.min(step, bytes - at)));
  }
}

/** Throws unless both files have the same bytes. */
export function requireSameFile(expected: string, actual: string): void {
  if (readFileSync(expected).equals(readFileSync(actual))) return;
  throw new Error(`${actual} has other bytes than ${expected}`);
}

/** Throws unless both folders have the same files with the same bytes. */
export function requireSameTree(expected: string, actual: string): void {
  const filesOf = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
          .sort()
      : [];
  const wanted = filesOf(expected);
  if (wanted.join("\n") !== filesOf(actual).join("\n")) {
    throw new Error(`${actual} has other files than ${expected}: ${filesOf(actual).join(", ")}`);
  }
  for (const name of wanted) requireSameFile(expected + name, actual + name);
}
