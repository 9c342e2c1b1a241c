import { type Subprocess, spawn } from "bun";
import { cpuTime } from "../cpu-time.ts";

/** Whoever serves files side by side: requests go to `url` and the path of the file. */
export interface Peer {
  readonly name: string;
  readonly url: string;
  /** Milliseconds of processor time so far, of all its processes. */
  cpu(): number;
  stop(): Promise<void>;
}

/** A peer that is one command; it resolves once the port answers. */
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
