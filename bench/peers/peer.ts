import { connect, type Subprocess, spawn } from "bun";
import { cpuTime } from "../cpu-time.ts";

/** A server to compare with: send requests to `url` plus the file's path. */
export interface Peer {
  readonly name: string;
  readonly url: string;
  /** Processor time used so far by all its processes, in milliseconds. */
  cpu(): number;
  stop(): Promise<void>;
}

export interface PeerOptions {
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a peer by one command; resolves once it accepts connections. */
export async function startPeer(
  name: string,
  port: number,
  command: string[],
  { cwd = ".", env }: PeerOptions = {},
): Promise<Peer> {
  const child: Subprocess = spawn(command, {
    cwd,
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "inherit",
  });
  // Also when the bench fails before it stops the peer.
  process.once("exit", () => child.kill("SIGTERM"));
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    if (await accepts(port)) break;
    if (child.exitCode !== null || attempt === 600) throw new Error(`${name} does not start.`);
    await Bun.sleep(50);
  }
  return {
    name,
    url,
    cpu: () => cpuTime(child.pid),
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Whether a server listens. It need not know HTTP. */
async function accepts(port: number): Promise<boolean> {
  try {
    const socket = await connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
