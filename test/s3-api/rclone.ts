import { spawn } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { eventually } from "../expectations.ts";
import {
  type ClientRun,
  requireSameTree,
  type S3ClientProgram,
  writeFiles,
  writeLarge,
  writeTree,
} from "./client-run.ts";

const env = ({ server }: Pick<ClientRun, "server">) => ({
  RCLONE_CONFIG_H_TYPE: "s3",
  RCLONE_CONFIG_H_PROVIDER: "Other",
  RCLONE_CONFIG_H_ENDPOINT: server.url,
  RCLONE_CONFIG_H_ACCESS_KEY_ID: server.credentials.accessKeyId,
  RCLONE_CONFIG_H_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
});

export const rclone: S3ClientProgram = {
  name: "rclone",
  probe: ["rclone", "version"],
  env,
  steps({ run, measure, bucket, folder, size }) {
    const source = join(folder, "source");
    const remote = `h:${bucket}/tree`;
    writeTree(source);
    run("rclone", "mkdir", `h:${bucket}`);
    run("rclone", "sync", source, remote);
    run("rclone", "check", source, remote);
    run("rclone", "check", "--download", source, remote);
    const again = run("rclone", "sync", "--dry-run", "-v", source, remote);
    if (again.includes("Copied")) throw new Error(`A second sync copies again:\n${again}`);
    appendFileSync(join(source, "small.txt"), "more");
    rmSync(join(source, "empty.txt"));
    run("rclone", "sync", source, remote);
    run("rclone", "copy", remote, join(folder, "back"));
    requireSameTree(source, join(folder, "back"));
    run("rclone", "move", remote, `h:${bucket}/moved`);
    run("rclone", "check", source, `h:${bucket}/moved`);

    const [many, large] = [join(folder, "many"), join(folder, "large")];
    writeFiles(many, size.files);
    writeLarge(large, size.bytes);
    const files = `${size.files} files`;
    const bytes = `a file of ${size.bytes / 1024 ** 2} MiB`;
    for (const [name, local, what] of [
      ["many", many, files],
      ["large", large, bytes],
    ] as const) {
      const [there, back] = [`h:${bucket}/${name}`, join(folder, `${name}-back`)];
      measure(`copies ${what} to the server`, () => run("rclone", "copy", local, there));
      measure(`checks ${what}`, () => run("rclone", "check", local, there));
      measure(`syncs ${what} again`, () => run("rclone", "sync", local, there));
      measure(`copies ${what} back`, () => run("rclone", "copy", there, back));
      requireSameTree(local, back);
      rmSync(back, { recursive: true });
    }
    measure("purges the bucket", () => run("rclone", "purge", `h:${bucket}`));
    if (run("rclone", "lsd", "h:").includes(bucket)) throw new Error("The bucket is still there.");
  },
};

const MOUNT_MS = 30_000;

export const rcloneMount: S3ClientProgram = {
  name: "rclone-mount",
  probe: ["rclone", "version"],
  missing() {
    if (!existsSync("/dev/fuse")) return "there is no /dev/fuse";
    if (Bun.which("fusermount3") === null) return "fusermount3 is not installed";
    return undefined;
  },
  env,
  async steps({ run, measure, bucket, folder, env: variables, size }) {
    const [source, mounted] = [join(folder, "source"), join(folder, "mounted")];
    writeTree(source);
    writeFiles(join(source, "many"), size.files / 10);
    run("rclone", "sync", source, `h:${bucket}`);
    mkdirSync(mounted);
    const program = spawn("rclone", ["mount", `h:${bucket}`, mounted], {
      cwd: folder,
      env: variables,
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => program.once("exit", resolve));
    try {
      const isMounted = () => statSync(mounted).dev !== statSync(folder).dev;
      await eventually("rclone has mounted the bucket", isMounted, MOUNT_MS);
      measure(`reads ${size.files / 10} mounted files`, () => requireSameTree(source, mounted));
      for (const tree of [source, mounted]) {
        mkdirSync(join(tree, "new"));
        copyFileSync(join(folder, "source/large.bin"), join(tree, "new/copy.bin"));
        renameSync(join(tree, "deep/er/and/deeper.bin"), join(tree, "new/moved.bin"));
        rmSync(join(tree, "small.txt"));
      }
      if (
        !readFileSync(join(mounted, "new/copy.bin")).equals(readFileSync(join(source, "large.bin")))
      )
        throw new Error("The mounted copy has other bytes.");
    } finally {
      program.kill("SIGTERM");
      await ended;
    }
    run("rclone", "check", "--download", source, `h:${bucket}`);
    run("rclone", "purge", `h:${bucket}`);
  },
};
