// `npm run s3-clients`: uses the S3 API of a server that it starts with rclone, rclone mount, restic,
// aws-cli, s3cmd, boto3, s3fs, git-annex and minio-go, if they are installed, and with the AWS SDK and minio-js. Arguments
// select some of them; `--short` moves less data.
import { spawnSync } from "node:child_process";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
const args = ["test/s3-api/run-clients.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" }).status ?? 1;
