import { spawn } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../expectations.ts";
import { requireSameTree, type S3ClientProgram, writeTree } from "./client-run.ts";

/** A bucket as a file system, with modes and times of files as metadata of objects. */
export const s3fs: S3ClientProgram = {
  name: "s3fs",
  probe: ["s3fs", "--version"],
  missing: () => (existsSync("/dev/fuse") ? undefined : "there is no /dev/fuse"),
  async steps({ run, bucket, folder, env, server }) {
    const { accessKeyId, secretAccessKey } = server.credentials;
    const password = join(folder, "password");
    writeFileSync(password, `${accessKeyId}:${secretAccessKey}`, { mode: 0o600 });
    const [source, mounted] = [join(folder, "source"), join(folder, "mounted")];
    writeTree(source);
    mkdirSync(mounted);
    run(
      "curl",
      ...["-fsS", "-X", "PUT", "--aws-sigv4", "aws:amz:us-east-1:s3"],
      ...["-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD", "-H", "Content-Length: 0"],
      ...["--user", `${accessKeyId}:${secretAccessKey}`, `${server.url}/${bucket}`],
    );
    const options = [`url=${server.url}`, "use_path_request_style", `passwd_file=${password}`];
    const program = spawn(
      "s3fs",
      ["-f", bucket, mounted, ...options.flatMap((option) => ["-o", option])],
      { cwd: folder, env, stdio: "ignore" },
    );
    const ended = new Promise((resolve) => program.once("exit", resolve));
    try {
      await eventually(
        "s3fs has mounted the bucket",
        () => statSync(mounted).dev !== statSync(folder).dev,
        30_000,
      );
      const tree = join(mounted, "tree");
      run("cp", "-a", source, tree);
      requireSameTree(source, tree);
      // Metadata changes by copying an object onto itself. That of folders is not kept.
      for (const name of ["small.txt", "large.bin", "deep"]) {
        run("chmod", "0640", join(tree, name));
        run("touch", "-d", "2001-02-03T04:05:06Z", join(tree, name));
      }
      requireAttributes(join(tree, "small.txt"));
      requireAttributes(join(tree, "large.bin"));
      run("mv", join(tree, "deep"), join(tree, "moved"));
      run("mv", join(source, "deep"), join(source, "moved"));
      requireSameTree(source, tree);
      run("cp", "-a", tree, join(mounted, "copy"));
      requireSameTree(source, join(mounted, "copy"));
      run("rm", "-r", tree);
    } finally {
      program.kill("SIGTERM");
      await ended;
    }
  },
};

function requireAttributes(path: string): void {
  const { mode, mtime } = statSync(path);
  if ((mode & 0o777) === 0o640 && mtime.getUTCFullYear() === 2001) return;
  throw new Error(`${path} has the mode ${mode.toString(8)} and is of ${mtime.toISOString()}.`);
}
