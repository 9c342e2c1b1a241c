import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { bytesOf, isContent, newContent } from "../content.ts";
import type { Victim } from "../server.ts";
import { needTool } from "../tools.ts";
import type { Row } from "../trial.ts";

/** What it takes to fetch an address into a file. */
type Client = readonly [
  program: string,
  debianPackage: string,
  args: (url: string, file: string) => readonly string[],
];

const CLIENTS: readonly Client[] = [
  ["curl", "curl", (url, file) => ["-sSf", "-o", file, url]],
  ["wget", "wget", (url, file) => ["-q", "-O", file, url]],
  [
    "aria2c",
    "aria2",
    (url, file) => [
      ...["-q", "-x16", "-s16", "-k1M", "--allow-overwrite=true", "--file-allocation=none"],
      ...["-d", "/", "-o", file.slice(1), url],
    ],
  ],
  ["axel", "axel", (url, file) => ["-q", "-n", "8", "-o", file, url]],
  ["lftp", "lftp", (url, file) => ["-c", `pget -n 5 ${url} -o ${file}`]],
];

/** Those that go on with a file of which they have the beginning. */
const RESUMING: readonly Client[] = [
  ["curl", "curl", (url, file) => ["-sSf", "-C", "-", "-o", file, url]],
  ["wget", "wget", (url, file) => ["-q", "-c", "-O", file, url]],
];

const PATIENCE_MS = 240_000;

export interface Course {
  /** Where the clients reach the server: without a slash at the end. */
  readonly url: string;
  readonly where: string;
  readonly folder: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Begins the command, where the clients do not run right here. */
  readonly wrap?: readonly string[];
}

/** Each client fetches a file in its own way, and some go on in the middle of it. */
export async function fetchByClients(server: Victim, course: Course): Promise<Row> {
  const { url, where, folder, size, wrap = [] } = course;
  const content = newContent(size);
  const file = await api(server).put(`clients/${crypto.randomUUID()}.bin`, bytesOf(content));
  const problems: string[] = [];
  let [tries, lost] = [0, 0];
  const from = performance.now();
  const fetch = async (what: string, [program, debianPackage, args]: Client, begun: number) => {
    needTool(program, debianPackage);
    const target = join(folder, crypto.randomUUID());
    if (begun > 0) await Bun.write(target, bytesOf(content, 0, begun));
    tries += 1;
    const code = await run([...wrap, program, ...args(`${url}/${file.url}`, target)]);
    if (code !== 0) problems.push(`${what} ended with ${code}.`);
    else if (!isContent(content, readFileSync(target))) {
      lost += 1;
      problems.push(`${what} has other bytes.`);
    }
  };
  for (const client of CLIENTS) await fetch(client[0], client, 0);
  for (const client of RESUMING) {
    await fetch(`${client[0]} that goes on`, client, Math.floor(size / 3));
  }
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  const note = `${tries} times ${size / 1e6} MB in ${seconds} s`;
  return { fault: `real clients ${where}`, tries, lost, leftovers: 0, problems, note };
}

function run([program = "", ...args]: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", timeout: PATIENCE_MS });
    child.once("error", () => resolve(null));
    child.once("close", (code) => resolve(code));
  });
}
