import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../test/free-port.fixture.ts";
import { type Peer, startPeer } from "./peer.ts";

/** nginx with one worker over plain files; private files need a `secure_link` query. */
export async function startNginx(workPath: string, root: string): Promise<Peer> {
  const port = await freePort();
  const config = join(workPath, "nginx.conf");
  writeFileSync(
    config,
    `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${workPath}/nginx.pid;
error_log /dev/null;
events { worker_connections 4096; }
http {
  access_log off;
  log_not_found off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=${keptOpen()} inactive=1h;
  open_file_cache_valid 1h;
  default_type application/octet-stream;
  client_body_temp_path ${workPath}/body;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    root ${root};
    add_header Cache-Control "public, max-age=3600, must-revalidate";
    location /api/hosting/private/ {
      secure_link $arg_sig,$arg_exp;
      secure_link_md5 "$secure_link_expires$uri ${SECRET}";
      if ($secure_link = "") { return 404; }
      if ($secure_link = "0") { return 404; }
    }
  }
}
`,
  );
  return startPeer("nginx", port, ["nginx", "-e", "/dev/null", "-c", config]);
}

/** All files of the bench, capped by the limit of open files: nginx hangs at that limit. */
function keptOpen(): number {
  const allowed = Bun.spawnSync(["sh", "-c", "ulimit -n"]).stdout.toString().trim();
  return allowed === "unlimited" ? 250_000 : Math.min(250_000, Number(allowed) - 5000);
}

const SECRET = "bench secret";

/** The query that signs `path` for nginx until `exp`. */
export function nginxSignature(path: string, exp: number): string {
  const sig = new Bun.CryptoHasher("md5").update(`${exp}${path} ${SECRET}`).digest("base64url");
  return `exp=${exp}&sig=${sig}`;
}
