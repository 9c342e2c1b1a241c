// `npm run openapi-clients`: lints openapi.json with redocly and spectral, and generates clients with
// openapi-typescript, hey-api and orval, which upload and list on a server. Downloads these programs into a temporary
// folder; an argument names a folder that has them already. OpenAPI::Client does the same in Perl, if it is installed.
import { spawnSync } from "node:child_process";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
const args = ["test/openapi-clients/run-generators.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" }).status ?? 1;
