import { afterAll, afterEach, beforeEach } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FaultName, startFaultProxy } from "../../../test/fault-proxy.ts";
import { removeFolder, startServer, temporaryFolder } from "../../../test/harness.ts";
import { Holdall, type ResumeStore } from "../holdall.ts";

export const MEGABYTE = 1024 * 1024;

export function randomBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** Writes a file with its folders. Returns its path. */
export function writeLocal(folder: string, path: string, content: Uint8Array | string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

export function memoryStore(): ResumeStore & { readonly notes: Map<string, string> } {
  const notes = new Map<string, string>();
  return {
    notes,
    getItem: (key) => notes.get(key) ?? null,
    setItem: (key, value) => void notes.set(key, value),
    removeItem: (key) => void notes.delete(key),
  };
}

/** The error of a promise; undefined: it was fulfilled. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A client whose requests may fail. `nth` counts the requests with this method, from 1. */
export async function faultyClient(
  server: { readonly url: string; readonly apiKey: string },
  choose: (head: string, nth: number) => FaultName | undefined,
) {
  const heads: string[] = [];
  const methodOf = (head: string): string => head.slice(0, head.indexOf(" "));
  const proxy = await startFaultProxy(server.url, (head) => {
    heads.push(head);
    return choose(head, heads.filter((each) => methodOf(each) === methodOf(head)).length);
  });
  return {
    client: new Holdall({ url: proxy.url, apiKey: server.apiKey }),
    url: proxy.url,
    /** The heads of all requests so far. */
    heads,
    /** The requests with this method whose path matches. */
    requests: (method: string, path: RegExp): string[] =>
      heads.filter((head) => methodOf(head) === method && path.test(head.split(" ", 2)[1] ?? "")),
    /** `Upload-Offset` of all PATCH requests. */
    offsets: (): number[] =>
      heads.flatMap((head) => {
        const [, offset] = /^PATCH.*\r\nupload-offset: (\d+)/is.exec(head) ?? [];
        return offset === undefined ? [] : [Number(offset)];
      }),
    close: () => proxy.close(),
  };
}

/** A server and a client for all tests of a file; `freshFolder` gives a new name with the prefix. */
export async function startUploadServer(prefix: string) {
  const server = await startServer();
  afterAll(() => server.discard());
  let count = 0;
  const freshFolder = (): string => {
    count += 1;
    return `${prefix}-${count}`;
  };
  const holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  return { server, holdall, freshFolder };
}

/** A local folder for each test, removed after it. */
export function useLocalFolder(): () => string {
  let local = "";
  beforeEach(() => {
    local = temporaryFolder();
  });
  afterEach(() => removeFolder(local));
  return () => local;
}
