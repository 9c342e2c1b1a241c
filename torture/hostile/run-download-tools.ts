import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { bytesOf, isContent, newContent } from "../content.ts";
import { requireTool } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ClientResult, ClientSetup } from "./client-setup.ts";
import { runClient } from "./run-client.ts";

/** A command-line program that downloads a URL to a file. */
interface DownloadTool {
  readonly name: string;
  readonly program: string;
  /** Default: the name of the program. */
  readonly debianPackage?: string;
  readonly args: (url: string, file: string) => readonly string[];
}

const ARIA2 = ["-q", "-k1M", "--allow-overwrite=true", "--file-allocation=none", "-d", "/"];

const TOOLS: readonly DownloadTool[] = [
  { name: "curl", program: "curl", args: (url, file) => ["-sSf", "-o", file, url] },
  { name: "wget", program: "wget", args: (url, file) => ["-q", "-O", file, url] },
  {
    name: "aria2 with 16 connections",
    program: "aria2c",
    debianPackage: "aria2",
    args: (url, file) => [...ARIA2, "-x16", "-s16", "-o", file.slice(1), url],
  },
  {
    name: "axel with 8 connections",
    program: "axel",
    args: (url, file) => ["-q", "-n", "8", "-o", file, url],
  },
  {
    name: "lftp with 5 segments",
    program: "lftp",
    args: (url, file) => ["-c", `pget -n 5 ${url} -o ${file}`],
  },
  {
    name: "rclone copyurl",
    program: "rclone",
    args: (url, file) => ["copyurl", "--config=", url, file],
  },
  {
    name: "rclone with 4 streams",
    program: "rclone",
    args: (url, file) => {
      const { origin, pathname } = new URL(url);
      const streams = ["--multi-thread-streams=4", "--multi-thread-cutoff=1M"];
      const source = `:http:${decodeURIComponent(pathname.slice(1))}`;
      return ["copyto", "--config=", `--http-url=${origin}`, ...streams, source, file];
    },
  },
];

/** Tools that resume a partial download. */
const RESUMING_TOOLS: readonly DownloadTool[] = [
  { name: "curl", program: "curl", args: (url, file) => ["-sSf", "-C", "-", "-o", file, url] },
  { name: "wget", program: "wget", args: (url, file) => ["-q", "-c", "-O", file, url] },
  {
    name: "aria2",
    program: "aria2c",
    debianPackage: "aria2",
    args: (url, file) => [...ARIA2, "-c", "-o", file.slice(1), url],
  },
  { name: "lftp", program: "lftp", args: (url, file) => ["-c", `get -c ${url} -o ${file}`] },
];

/** Downloads one file with each tool, then resumes it from one third of its size. */
export async function runDownloadTools(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  const { url, folder, size, commandPrefix = [] } = setup;
  const content = newContent(size);
  const file = await api(server).put(`clients/${crypto.randomUUID()} ü.bin`, bytesOf(content));
  const problems: string[] = [];
  let [tries, lost] = [0, 0];
  const download = async (tool: DownloadTool, resumeFrom: number) => {
    const { program, debianPackage, args } = tool;
    const name = resumeFrom > 0 ? `${tool.name}, resuming,` : tool.name;
    requireTool(program, debianPackage);
    const target = join(folder, crypto.randomUUID());
    if (resumeFrom > 0) await Bun.write(target, bytesOf(content, 0, resumeFrom));
    tries += 1;
    const { code, stderr } = await runClient([
      ...commandPrefix,
      program,
      ...args(`${url}/${file.url}`, target),
    ]);
    if (code !== 0) problems.push(`${name} exited with ${code}: ${stderr.slice(-200)}`);
    else if (!isContent(content, readFileSync(target))) {
      lost += 1;
      problems.push(`${name} downloaded wrong bytes.`);
    }
  };
  for (const tool of TOOLS) await download(tool, 0);
  for (const tool of RESUMING_TOOLS) await download(tool, Math.floor(size / 3));
  return { tries, lost, problems, note: `${tries} downloads of ${size / 1e6} MB` };
}
