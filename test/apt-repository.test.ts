import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "./client.ts";
import { startServer, temporaryFolder } from "./harness.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

const METHODS = "/usr/lib/apt/methods";
const noApt = isMissing(
  "apt-get, dpkg-deb and dpkg-scanpackages",
  ["apt-get", "dpkg-deb", "dpkg-scanpackages"].every((tool) => Bun.which(tool) !== null),
);

function run(command: readonly string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
    cwd,
    env: { ...process.env, LC_ALL: "C", http_proxy: "" },
  });
  const output = stdout.toString();
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${output}${stderr.toString()}`);
  return output;
}

/** A flat repository with one package. */
function makeRepository(folder: string): void {
  const control = join(folder, "package/DEBIAN");
  mkdirSync(control, { recursive: true });
  const fields = [
    "Package: demo",
    "Version: 1.0",
    "Architecture: all",
    "Maintainer: Demo <demo@example.com>",
    "Description: demo",
  ];
  writeFileSync(join(control, "control"), `${fields.join("\n")}\n`);
  const repository = join(folder, "repository");
  mkdirSync(repository);
  run(["dpkg-deb", "--build", "--root-owner-group", "package", "repository"], folder);
  // The names of its files begin with `./`.
  writeFileSync(join(repository, "Packages"), run(["dpkg-scanpackages", "-m", "."], repository));
}

/** Runs apt-get on a state of its own, below `root`. */
function createApt(root: string, source: string): (...args: string[]) => void {
  for (const folder of [
    ...["etc/apt/apt.conf.d", "etc/apt/preferences.d", "etc/apt/sources.list.d"],
    ...["etc/apt/trusted.gpg.d", "var/lib/apt/lists/partial", "var/lib/dpkg"],
    ...["var/cache/apt/archives/partial", "var/log/apt"],
  ]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  const status = join(root, "var/lib/dpkg/status");
  writeFileSync(status, "");
  writeFileSync(join(root, "etc/apt/sources.list"), `${source}\n`);
  const settings = {
    Dir: root,
    "Dir::State::status": status,
    "Dir::Bin::methods": METHODS,
    "APT::Sandbox::User": "",
    "Acquire::Languages": "none",
    "Acquire::http::Proxy": "DIRECT",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return (...args) => void run(["apt-get", ...options, ...args], root);
}

test.skipIf(noApt)("apt-get installs from a flat repository, with and without ./", async () => {
  const folder = temporaryFolder();
  makeRepository(folder);
  const server = await startServer();
  try {
    const a = api(server);
    for (const name of ["Packages", "demo_1.0_all.deb"]) {
      await a.put(`apt/${name}`, readFileSync(join(folder, "repository", name)));
    }
    for (const [at, end] of [
      "/api/hosting/apt /",
      "/api/hosting/apt ./",
      "/api/hosting/apt/ ./",
    ].entries()) {
      const root = join(folder, `apt-${at}`);
      const apt = createApt(root, `deb [trusted=yes] ${server.url}${end}`);
      apt("update");
      apt("download", "demo");
      expect(readFileSync(join(root, "demo_1.0_all.deb"))).toEqual(
        readFileSync(join(folder, "repository/demo_1.0_all.deb")),
      );
    }
  } finally {
    await server.discard();
  }
});
