import { type Subprocess, spawn } from "bun";
import { cpuTime } from "../cpu-time.ts";

/** A server to compare with: send requests to `url` plus the file's path. */
export interface Peer {
  readonly name: string;
  readonly url: string;
  /** Processor time used so far by all its processes, in milliseconds. */
  cpu(): number;
  stop(): Promise<void>;
}

/** Starts a peer by one command; resolves once the port responds. */
export async function startPeer(name: string, port: number, command: string[]): Promise<Peer> {
  const child: Subprocess = spawn(command, { stdout: "ignore", stderr: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) break;
    if (child.exitCode !== null || attempt === 100) throw new Error(`${name} does not start.`);
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
