import { spawnSync } from "node:child_process";

/** The user that runs the bench, also as root: by default, Swift and memcached switch to others. */
export const currentUser = (): string =>
  spawnSync("id", ["-un"], { encoding: "utf8" }).stdout.trim();

/** What the bench signs in with. */
export const SWIFT_LOGIN = { user: "bench:bench", key: "bench" };

/** The configuration of a storage server: one worker, errors only in its log. */
export const storageConfig = (kind: string, folder: string, port: number): string =>
  `${common(folder, port)}devices = ${folder}/devices
mount_check = false
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;

/** The configuration of the proxy, with what it needs for authorization and no log of requests. */
export const proxyConfig = (folder: string, port: number, memcachedPort: number): string =>
  `${common(folder, port)}[pipeline:main]
pipeline = catch_errors gatekeeper cache tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcachedPort}
[filter:tempauth]
use = egg:swift#tempauth
user_${SWIFT_LOGIN.user.replace(":", "_")} = ${SWIFT_LOGIN.key} .admin
`;

const common = (folder: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 1
user = ${currentUser()}
swift_dir = ${folder}
log_level = ERROR
`;
