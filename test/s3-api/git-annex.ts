import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireSameTree, type S3ClientProgram, writeTree } from "./client-run.ts";

/** Keeps the contents of large files of a repository in a bucket. Its region is the host's name. */
export const gitAnnex: S3ClientProgram = {
  name: "git-annex",
  probe: ["git-annex", "version"],
  // Its library signs the name of the host without a port.
  port: 80,
  missing: () => (process.getuid?.() === 0 ? undefined : "only root may listen on port 80"),
  steps({ run, bucket, folder, server }) {
    writeFileSync(
      join(folder, ".gitconfig"),
      '[user]\nname = tests\nemail = tests@example.com\n[init]\ndefaultBranch = main\n[annex "security"]\nallowed-ip-addresses = all\n',
    );
    const git = (...args: string[]) => run("git", ...args);
    writeTree(join(folder, "tree"));
    run("cp", "-r", "tree", "kept");
    git("init");
    git("annex", "init");
    git("annex", "add", "tree");
    git("commit", "-m", "tree");
    git(
      ...["annex", "initremote", "store", "type=S3", "encryption=none", "signature=v4"],
      ...["host=127.0.0.1", `port=${server.port}`, "protocol=http", "requeststyle=path"],
      ...[`bucket=${bucket}`, "partsize=6MiB"],
    );
    git("annex", "copy", "tree", "--to", "store");
    git("annex", "drop", "tree");
    git("annex", "fsck", "--from", "store");
    git("annex", "get", "tree");
    git("annex", "unlock", "tree");
    requireSameTree(join(folder, "kept"), join(folder, "tree"));
    git("annex", "drop", "--force", "--from", "store", "tree");
  },
};
