import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../test/free-port.fixture.ts";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { hasSharedServers, sharedServerUrl } from "../../../test/shared-servers.fixture.ts";
import { createS3Client } from "./s3-client.ts";
import type { S3Settings } from "./s3-settings.ts";

/*
 * Runs Ceph's S3 server, for tests with its objects in memory. `scripts/ceph.mjs` installs its
 * programs from Debian's packages.
 */

export interface S3Server {
  /** The settings of a new, empty bucket. */
  fresh(): Promise<S3Settings>;
}

/** The credentials that every server of the tests accepts. */
export const S3_CREDENTIALS = { accessKeyId: "AKIAHOLDALL", secretAccessKey: "a/secret+of=tests" };
const REGION = "us-east-1";
/** The folder of the unpacked packages; empty: they are installed. */
const ROOT = process.env.HOLDALL_CEPH ?? "";
const LIB = `${ROOT}/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

/** Whether this machine has the programs. Otherwise the S3 tests are skipped. */
export const hasS3Server = !isMissing("ceph", ROOT !== "" || Bun.which("radosgw") !== null);

let shared: Promise<S3Server> | undefined;

/** The server that the test run shares, or one for this process, as it takes seconds to start. */
export function s3Server(): Promise<S3Server> {
  shared ??= (hasSharedServers ? sharedServerUrl("s3") : startS3Cluster()).then(bucketsAt);
  return shared;
}

function bucketsAt(endpoint: string): S3Server {
  return {
    async fresh() {
      const settings = {
        endpoint,
        bucket: `holdall-${crypto.randomUUID()}`,
        region: REGION,
        ...S3_CREDENTIALS,
        forcePathStyle: true,
        timeout: 30_000,
      };
      await createS3Client(settings).send({ method: "PUT" });
      return settings;
    },
  };
}

/** Where Ceph keeps objects: in memory, or on disk as in production, durable when it acknowledges them. */
type ObjectStore = "memstore" | "bluestore";

/**
 * Starts Ceph, which ends with this process; resolves with its endpoint. Tries twice: another program
 * may take one of the ports before Ceph does, which then waits for ever.
 */
export const startS3Cluster = (store: ObjectStore = "memstore"): Promise<string> =>
  startOnce(store).catch(() => startOnce(store));

async function startOnce(store: ObjectStore): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-s3-"));
  for (const name of ["mon", "osd", "rgw", "run"]) mkdirSync(join(folder, name));
  cleanUpAtExit(folder);
  const monitor = `v1:127.0.0.1:${await freePort()}`;
  const port = await freePort();
  const cluster = crypto.randomUUID();
  writeFileSync(
    join(folder, "ceph.conf"),
    configuration({ folder, monitor, port, cluster, store }),
  );
  const env = environment(folder);

  const run = (program: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { env, timeout: 60_000 });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${String(stderr)}`);
    return String(stdout);
  };
  const map = join(folder, "monmap");
  run("monmaptool", "--create", "--clobber", "--fsid", cluster, "--addv", "a", `[${monitor}]`, map);
  run("ceph-mon", "-i", "a", "--mkfs", "--monmap", map);
  const start = (program: string, ...args: string[]): void => {
    const child = spawn(program, ["-f", ...args], { env, stdio: "ignore" });
    child.unref();
    writeFileSync(join(folder, "run", `${program}.started`), String(child.pid));
  };
  start("ceph-mon", "-i", "a");
  const identity = crypto.randomUUID();
  // On a busy machine, a monitor refuses a command now and then, with EPERM. Both can be repeated.
  const ask = async (...args: string[]): Promise<string> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return run("ceph", "--connect-timeout", "30", ...args);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
        await Bun.sleep(1000 * attempt);
      }
    }
  };
  const id = (await ask("osd", "create", identity)).trim();
  run("ceph-osd", "-i", id, "--mkfs", "--mkkey", "--osd-uuid", identity, "--no-mon-config");
  await ask("osd", "crush", "add", `osd.${id}`, "1", "root=default", "host=here");
  start("ceph-osd", "-i", id);
  start("radosgw", "-n", "client.rgw");
  const endpoint = `http://127.0.0.1:${port}`;
  await waitUntilReady(endpoint);
  run(
    "radosgw-admin",
    ...["user", "create", "--uid=tests", "--display-name=tests", "--max-buckets=0"],
    ...[
      `--access-key=${S3_CREDENTIALS.accessKeyId}`,
      `--secret-key=${S3_CREDENTIALS.secretAccessKey}`,
    ],
  );
  return endpoint;
}

interface Cluster {
  readonly folder: string;
  readonly monitor: string;
  readonly port: number;
  readonly cluster: string;
  readonly store: ObjectStore;
}

const configuration = ({ folder, monitor, port, cluster, store }: Cluster): string => `[global]
fsid = ${cluster}
mon host = ${monitor}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr2 = false
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
osd max object name len = 1024
osd objectstore = ${store}
memstore device bytes = 8589934592
bluestore block size = 21474836480
paxos propose interval = 0.02
paxos min wait = 0.01
mon data = ${folder}/mon
osd data = ${folder}/osd
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
log file = ${folder}/$name.log
crash dir = ${folder}
${ROOT === "" ? "" : `plugin dir = ${LIB}/ceph\nerasure code dir = ${LIB}/ceph/erasure-code\nosd class dir = ${LIB}/rados-classes\n`}
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw data = ${folder}/rgw
rgw thread pool size = 256
${store === "memstore" ? SMALL_READS : ""}
rgw gc obj min wait = 60
rgw gc processor period = 10
`;

/** Many tests share the server, and one of them has hundreds of readers that stop: reading ahead for them stalls all. */
const SMALL_READS = "rgw get obj window size = 1048576\nrgw get obj max req size = 1048576\n";

function environment(folder: string): Record<string, string> {
  const inherited = { PATH: process.env.PATH ?? "", HOME: folder };
  const config = { CEPH_CONF: join(folder, "ceph.conf") };
  if (ROOT === "") return { ...inherited, ...config };
  return {
    ...inherited,
    ...config,
    PATH: `${ROOT}/usr/bin:${inherited.PATH}`,
    LD_LIBRARY_PATH: `${LIB}:${LIB}/ceph`,
    PYTHONPATH: `${ROOT}/usr/lib/python3/dist-packages`,
  };
}

/** Ends the programs and removes the folder once this process exits, even if it is killed. */
function cleanUpAtExit(folder: string): void {
  const script = `cat > /dev/null; for f in '${folder}'/run/*.started; do kill -9 "$(cat "$f")" 2> /dev/null; done; sleep 1; rm -rf '${folder}'`;
  const watcher = spawn("sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.unref();
}

const MAX_ATTEMPTS = 5;
/** A tenth of a second each. Ceph needs about three seconds, on a busy machine ten times as much. */
const READY_ROUNDS = 900;

async function waitUntilReady(url: string): Promise<void> {
  for (let round = 0; round < READY_ROUNDS; round += 1) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await Bun.sleep(100);
  }
  throw new Error("The S3 server did not start.");
}
