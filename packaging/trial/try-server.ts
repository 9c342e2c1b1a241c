import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { encodePng } from "../../test/image-encoders.ts";

export interface Trial {
  /** The command that starts Holdall; further arguments follow it. */
  readonly command: readonly string[];
  /** The current folder, which gets the data folder `data`. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Uses the server; gets an environment for remote commands. */
  readonly meanwhile?: ((env: Record<string, string>) => void | Promise<void>) | undefined;
}

export interface TrialResult {
  /** Seconds from the start of the command until the server responded. */
  readonly startSeconds: number;
}

const START_MS = 60_000;
const STOP_MS = 30_000;
const API_KEY = `trial-key-${randomBytes(12).toString("hex")}`;
/** What the pages need from files beside the program. */
const PAGES = [
  "/",
  "/docs",
  "/security",
  "/docs/durability",
  "/scaling",
  "/openapi.json",
  "/assets/holdall.css",
  "/assets/links.css",
  "/assets/is-cut-off.js",
  "/assets/lightbox.js",
  "/assets/link-drop.css",
  "/assets/link-file.css",
  "/assets/link-folder.css",
  "/assets/links.js",
  "/assets/theme.js",
  "/assets/inter-latin.woff2",
];

/**
 * Starts an installed Holdall, uploads, downloads, loads the pages, runs a command beside the server and stops. Error:
 * something of it fails; the message has the server's output.
 */
export async function tryServer({
  command,
  folder,
  env = {},
  meanwhile,
}: Trial): Promise<TrialResult> {
  const all = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    PORT: "0",
    INITIAL_API_KEY: API_KEY,
    ...env,
  };
  const from = performance.now();
  const server = launch([...command, "serve"], folder, all);
  try {
    const url = await addressOf(server);
    const startSeconds = (performance.now() - from) / 1000;
    const printed = server.output();
    const dataPath = env.DATA_PATH ?? join(folder, "data");
    if (!printed.includes(`The data is in ${dataPath}`)) throw new Error("no data path is printed");
    await exchange(url);
    await loadPages(url);
    await runBeside([...command, "keys", "create", "trial"], folder, all, /^hd_\w+$/m);
    await runBeside([...command, "verify"], folder, all, /./);
    await meanwhile?.({ ...all, HOLDALL_URL: url, HOLDALL_KEY: API_KEY });
    await stop(server, url);
    return { startSeconds };
  } catch (error) {
    throw new Error(`${command.join(" ")}: ${String(error)}\n${server.output()}`, { cause: error });
  } finally {
    // Not SIGKILL, which a launcher cannot pass on to the server.
    if (server.child.exitCode === null) server.child.kill("SIGTERM");
  }
}

/** Other work of the machine can delay a start, but not every one. */
const MAX_STARTS = 3;

/** Tries the server until it starts in time. Returns the seconds of each start. Error: none is in time. */
export async function tryServerInTime(trial: Trial, maxSeconds: number): Promise<number[]> {
  const starts: number[] = [];
  while (starts.length < MAX_STARTS) {
    const { startSeconds } = await tryServer(trial);
    starts.push(startSeconds);
    if (startSeconds <= maxSeconds) return starts;
  }
  throw new Error(`It started after ${starts.join(", ")} s.`);
}

interface Launched {
  readonly child: ChildProcess;
  output(): string;
}

function launch(command: readonly string[], cwd: string, env: Record<string, string>): Launched {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  return { child, output: () => output };
}

async function addressOf({ child, output }: Launched): Promise<string> {
  const end = performance.now() + START_MS;
  while (performance.now() < end && child.exitCode === null) {
    const url = /serves on (http:\/\/[\d.]+:\d+)/.exec(output())?.[1];
    if (url !== undefined) return url;
    await Bun.sleep(20);
  }
  throw new Error("the server did not start");
}

/** Uploads bytes and an image; downloads both. */
async function exchange(url: string): Promise<void> {
  const content = randomBytes(3_000_000);
  const image = encodePng(500, 400, (x, y) => [x % 256, y % 256, 99]);
  const form = new FormData();
  form.append("folder", "trial");
  form.append("onConflict", "replace");
  form.append("files", new File([content], "content.bin"));
  form.append("files", new File([new Uint8Array(image)], "colors.png"));
  const headers = { "API-Key": API_KEY };
  const stored = await fetch(`${url}/api/files`, { method: "POST", headers, body: form });
  if (stored.status !== 200) throw new Error(`the upload got ${await stored.text()}`);
  const response = await fetch(`${url}/api/hosting/trial/content.bin`);
  const received = Buffer.from(await response.arrayBuffer());
  if (!received.equals(content)) throw new Error("the download differs from the upload");
  // Another process of the program makes it.
  const small = await fetch(`${url}/api/hosting/trial/colors.png?size=small`, {
    headers: { Accept: "image/webp" },
  });
  const type = small.headers.get("content-type");
  if (type !== "image/webp") throw new Error(`a smaller image got ${small.status}, ${type}`);
}

async function loadPages(url: string): Promise<void> {
  for (const path of PAGES) {
    const response = await fetch(url + path);
    const { byteLength } = await response.arrayBuffer();
    if (response.status !== 200 || byteLength === 0) throw new Error(`${path}: ${response.status}`);
  }
  const home = await (await fetch(url)).text();
  const script = /src="([^"]+\.js)"/.exec(home)?.[1];
  const response = await fetch(new URL(script ?? "no-script", url));
  if (response.status !== 200) throw new Error(`${script}: ${response.status}`);
}

async function runBeside(
  command: readonly string[],
  folder: string,
  env: Record<string, string>,
  expected: RegExp,
): Promise<void> {
  const { child, output } = launch(command, folder, env);
  const [code] = await once(child, "close");
  if (code !== 0 || !expected.test(output())) {
    throw new Error(`${command.join(" ")} ended with ${code}: ${output()}`);
  }
}

/** Resolves once the server has ended, also if npm, which starts it, ends before it. */
async function stop({ child }: Launched, url: string): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const [code, signal] = await Promise.race([exited, Bun.sleep(STOP_MS).then(() => ["none"])]);
  // npm ends by the signal itself.
  if (code !== 0 && signal !== "SIGTERM") throw new Error(`after SIGTERM, it ended with ${code}`);
  const end = performance.now() + STOP_MS;
  while (await responds(url)) {
    if (performance.now() > end) throw new Error("the server goes on after SIGTERM");
    await Bun.sleep(100);
  }
}

const responds = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    () => true,
    () => false,
  );
