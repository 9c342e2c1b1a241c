// `npm run s3-tests -- FOLDER`: runs the tests of github.com/ceph/s3-tests, a copy of which is in the
// folder, against a server that it starts.
import { spawnSync } from "node:child_process";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
const args = ["test/s3-api/run-ceph-tests.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" }).status ?? 1;
