import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../test/free-port.fixture.ts";
import { onExit } from "../on-exit.ts";
import { requireTool } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";

/** A reverse proxy in front of a server. */
export interface FrontProxy {
  readonly name: string;
  readonly port: number;
  stop(): void;
}

/** nginx as the documentation configures it: forwards bodies without buffering them. */
export async function startNginx(server: ServerProcess, folder: string): Promise<FrontProxy> {
  requireTool("nginx");
  const port = await freePort();
  const home = join(folder, "nginx");
  mkdirSync(join(home, "temp"), { recursive: true });
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${home}/temp/${name};`)
    .join("\n");
  const config = join(home, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${home}/pid; error_log ${home}/error.log;
events { worker_connections 1024; }
http {
  access_log off; client_max_body_size 0; ${temp}
  upstream holdall { server ${new URL(server.url).host}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://holdall; proxy_http_version 1.1; proxy_request_buffering off;
      proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`,
  );
  return startProxy("nginx", port, ["nginx", "-p", home, "-c", config]);
}

/** HAProxy, which forwards trailers and most other input unchanged. */
export async function startHaproxy(server: ServerProcess, folder: string): Promise<FrontProxy> {
  requireTool("haproxy");
  const port = await freePort();
  const config = join(folder, "haproxy.cfg");
  writeFileSync(
    config,
    `defaults
  mode http
  option forwardfor
  option http-keep-alive
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend all
  bind 127.0.0.1:${port}
  default_backend holdall
backend holdall
  server one ${new URL(server.url).host}
`,
  );
  return startProxy("haproxy", port, ["haproxy", "-db", "-f", config]);
}

async function startProxy(
  name: string,
  port: number,
  command: readonly string[],
): Promise<FrontProxy> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "ignore"] });
  const stop = onExit(() => child.kill("SIGKILL"));
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (response?.ok) return { name, port, stop };
    await Bun.sleep(50);
  }
  stop();
  throw new Error(`${name} did not start.`);
}
