import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { bytesOf, isContent, newContent } from "../content.ts";
import { requireTool } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ClientResult, ClientSetup } from "./client-setup.ts";
import { runClient } from "./run-client.ts";

/** How a tool downloads a URL into a file. */
interface Downloader {
  readonly what: string;
  readonly program: string;
  /** The Debian package, if its name differs from the program. */
  readonly debianPackage?: string;
  readonly args: (url: string, file: string) => readonly string[];
}

const ARIA2 = ["-q", "-k1M", "--allow-overwrite=true", "--file-allocation=none", "-d", "/"];

const DOWNLOADERS: readonly Downloader[] = [
  { what: "curl", program: "curl", args: (url, file) => ["-sSf", "-o", file, url] },
  { what: "wget", program: "wget", args: (url, file) => ["-q", "-O", file, url] },
  {
    what: "aria2 with 16 connections",
    program: "aria2c",
    debianPackage: "aria2",
    args: (url, file) => [...ARIA2, "-x16", "-s16", "-o", file.slice(1), url],
  },
  {
    what: "axel with 8 connections",
    program: "axel",
    args: (url, file) => ["-q", "-n", "8", "-o", file, url],
  },
  {
    what: "lftp in 5 pieces",
    program: "lftp",
    args: (url, file) => ["-c", `pget -n 5 ${url} -o ${file}`],
  },
  {
    what: "rclone copyurl",
    program: "rclone",
    args: (url, file) => ["copyurl", "--config=", url, file],
  },
  {
    what: "rclone with 4 streams",
    program: "rclone",
    args: (url, file) => {
      const { origin, pathname } = new URL(url);
      const streams = ["--multi-thread-streams=4", "--multi-thread-cutoff=1M"];
      const source = `:http:${decodeURIComponent(pathname.slice(1))}`;
      return ["copyto", "--config=", `--http-url=${origin}`, ...streams, source, file];
    },
  },
];

/** Tools that can resume a partial file. */
const RESUMING: readonly Downloader[] = [
  { what: "curl", program: "curl", args: (url, file) => ["-sSf", "-C", "-", "-o", file, url] },
  { what: "wget", program: "wget", args: (url, file) => ["-q", "-c", "-O", file, url] },
  {
    what: "aria2",
    program: "aria2c",
    debianPackage: "aria2",
    args: (url, file) => [...ARIA2, "-c", "-o", file.slice(1), url],
  },
  { what: "lftp", program: "lftp", args: (url, file) => ["-c", `get -c ${url} -o ${file}`] },
];

/** Downloads a file with each tool, and resumes it with those that can. */
export async function runDownloadTools(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  const { url, folder, size, commandPrefix = [] } = setup;
  const content = newContent(size);
  const file = await api(server).put(`clients/${crypto.randomUUID()} ü.bin`, bytesOf(content));
  const problems: string[] = [];
  let [tries, lost] = [0, 0];
  const fetch = async (downloader: Downloader, begun: number) => {
    const { program, debianPackage, args } = downloader;
    const what = begun > 0 ? `${downloader.what} that goes on` : downloader.what;
    requireTool(program, debianPackage);
    const target = join(folder, crypto.randomUUID());
    if (begun > 0) await Bun.write(target, bytesOf(content, 0, begun));
    tries += 1;
    const { code, stderr } = await runClient([
      ...commandPrefix,
      program,
      ...args(`${url}/${file.url}`, target),
    ]);
    if (code !== 0) problems.push(`${what} ended with ${code}: ${stderr.slice(-200)}`);
    else if (!isContent(content, readFileSync(target))) {
      lost += 1;
      problems.push(`${what} has other bytes.`);
    }
  };
  for (const downloader of DOWNLOADERS) await fetch(downloader, 0);
  for (const downloader of RESUMING) await fetch(downloader, Math.floor(size / 3));
  return { tries, lost, problems, note: `${tries} times ${size / 1e6} MB` };
}
