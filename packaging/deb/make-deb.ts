import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { manifest } from "../npm/manifest.ts";
import { root } from "../root.ts";

const FILES = join(root, "packaging/deb/files");
const SCRIPTS = ["postinst", "prerm", "postrm"];

/** What the service of the package has in place of lines in the example for systemd. */
const UNIT_CHANGES: readonly (readonly [string, string])[] = [
  ["# Copy this file to /etc/systemd/system, then run: systemctl enable --now holdall\n", ""],
  ["ExecStart=/opt/holdall/holdall serve", "ExecStart=/usr/lib/holdall/holdall serve"],
  ["EnvironmentFile=-/etc/holdall.env", "EnvironmentFile=-/etc/holdall/env"],
  ["DynamicUser=yes", "User=holdall\nGroup=holdall"],
];

/** Writes the Debian package of an executable to `output`. `folder`: for the files of the package. */
export function makeDeb(executable: string, architecture: string, folder: string, output: string) {
  const write = (path: string, text: string | Uint8Array, mode = 0o644): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  };
  const own = (name: string): string => readFileSync(join(FILES, name), "utf8");

  mkdirSync(join(folder, "usr/lib/holdall"), { recursive: true });
  cpSync(executable, join(folder, "usr/lib/holdall/holdall"));
  chmodSync(join(folder, "usr/lib/holdall/holdall"), 0o755);
  write("usr/bin/holdall", own("holdall.sh"), 0o755);
  write("usr/lib/systemd/system/holdall.service", unit());
  write("etc/holdall/env", own("env"), 0o640);
  write("usr/share/doc/holdall/copyright", copyright());
  const changes = readFileSync(join(root, "CHANGELOG.md"));
  write("usr/share/doc/holdall/changelog.gz", gzipSync(changes, { level: 9 }));

  write("DEBIAN/control", control(architecture, statSync(executable).size));
  write("DEBIAN/conffiles", "/etc/holdall/env\n");
  write("DEBIAN/templates", own("templates"));
  for (const name of SCRIPTS) write(`DEBIAN/${name}`, own(name), 0o755);
  const args = ["--root-owner-group", "-Zgzip", "--build", folder, output];
  const { status, stderr } = spawnSync("dpkg-deb", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`dpkg-deb failed: ${stderr}`);
}

function unit(): string {
  const text = readFileSync(join(root, "deploy/holdall.service"), "utf8");
  return UNIT_CHANGES.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/holdall.service has no longer: ${from}`);
    return changed.replace(from, to);
  }, text);
}

const control = (architecture: string, bytes: number): string =>
  `Package: holdall
Version: ${manifest.version}
Architecture: ${architecture}
Maintainer: The authors of Holdall <holdall@example.invalid>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6, adduser, debconf, util-linux
Section: web
Priority: optional
Description: self-hosted file hosting
 A REST API, a public URL for every file, private files and signed URLs, with a dashboard. One process and one
 data folder, with nothing else to install.
`;

const copyright = (): string =>
  ["LICENSE", "THIRD-PARTY.md"].map((file) => readFileSync(join(root, file), "utf8")).join("\n\n");
