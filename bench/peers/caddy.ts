import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../test/free-port.fixture.ts";
import { type Peer, startPeer } from "./peer.ts";

/** Caddy's file server with its default number of threads. */
export async function startCaddy(workPath: string, root: string): Promise<Peer> {
  const port = await freePort();
  const config = join(workPath, "Caddyfile");
  writeFileSync(
    config,
    `{
  admin off
  auto_https off
  storage file_system ${workPath}/caddy
  log {
    output discard
  }
}
http://127.0.0.1:${port} {
  root * ${root}
  header Cache-Control "public, max-age=3600, must-revalidate"
  file_server
}
`,
  );
  return startPeer("Caddy", port, ["caddy", "run", "--adapter", "caddyfile", "--config", config]);
}
