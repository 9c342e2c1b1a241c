/*
 * Checks openapi.json with two linters, generates clients in TypeScript and Perl from it, and uploads and lists with
 * them on a server.
 * Argument: a folder in which the programs are installed already.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, startServer, temporaryFolder } from "../harness.ts";

const PACKAGES = [
  "@hey-api/openapi-ts@0.95.0",
  "@redocly/cli@2.77.0",
  "@stoplight/spectral-cli@6.16.3",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
  "orval@7.13.2",
];
const ROOT = join(import.meta.dir, "../..");
const given = process.argv[2];
const folder = given ?? temporaryFolder();
const server = await startServer();
const env = {
  ...process.env,
  HOLDALL_URL: server.url,
  HOLDALL_KEY: server.apiKey,
  JSON_VALIDATOR_CACHE_PATH: join(folder, "perl-cache"),
};

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (status === 0) return stdout + stderr;
  throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? stdout + stderr}`);
}

const tool = (name: string, ...args: string[]): string =>
  run(join(folder, "node_modules/.bin", name), ...args);

function expectText(what: string, text: string, expected: string): void {
  if (!text.includes(expected)) throw new Error(`${what}: ${text}`);
  console.log(`passed   ${what}`);
}

const hasPerlClient = (): boolean => spawnSync("perl", ["-MOpenAPI::Client", "-e1"]).status === 0;

/**
 * JSON::Validator would download the schema of OpenAPI 3.1, against which the linters check the document. This one
 * takes everything.
 */
function writeOpenApiSchema(cache: string): void {
  const id = "https://spec.openapis.org/oas/3.1/schema/2021-05-20";
  mkdirSync(cache, { recursive: true });
  const name = new Bun.CryptoHasher("md5").update(id).digest("hex");
  writeFileSync(join(cache, name), JSON.stringify({ $id: id }));
}

try {
  writeOpenApiSchema(env.JSON_VALIDATOR_CACHE_PATH);
  if (given === undefined) {
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES);
  }
  cpSync(join(ROOT, "openapi.json"), join(folder, "openapi.json"));
  cpSync(join(import.meta.dir, "programs"), folder, { recursive: true });
  // Each instance has another contact, which the document does not name.
  writeFileSync(
    join(folder, "spectral.yaml"),
    'extends: ["spectral:oas"]\nrules:\n  info-contact: off\n',
  );
  writeFileSync(
    join(folder, "orval.config.cjs"),
    `module.exports = { holdall: {
      input: { target: "openapi.json" },
      output: { target: "generated/orval.ts", client: "fetch", baseUrl: "${server.url}" },
    } };`,
  );

  const linted = tool("redocly", "lint", "openapi.json");
  // It succeeds with warnings too.
  if (/You have \d+ warning/.test(linted)) throw new Error(linted);
  expectText("redocly", linted, "is valid");
  expectText(
    "spectral",
    tool("spectral", "lint", "-r", "spectral.yaml", "-F", "warn", "openapi.json"),
    "No results",
  );
  tool("openapi-typescript", "openapi.json", "-o", "generated/openapi-typescript.ts");
  tool(
    "openapi-ts",
    "-i",
    "openapi.json",
    "-o",
    "generated/hey-api",
    "-c",
    "@hey-api/client-fetch",
  );
  tool("orval", "--config", "orval.config.cjs");
  const flags = "--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target esnext";
  const modules = "--module preserve --moduleResolution bundler --lib esnext,dom,dom.iterable";
  const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "bun"];
  for (const name of ["openapi-typescript", "hey-api", "orval"]) {
    const compiler = join(ROOT, "node_modules/.bin/tsc");
    run(compiler, ...flags.split(" "), ...modules.split(" "), ...types, `${name}.ts`);
    expectText(name, run(process.execPath, `${name}.ts`), `${name}/notes.txt`);
  }
  if (hasPerlClient()) expectText("OpenAPI::Client", run("perl", "client.pl"), "perl/notes.txt");
  else console.log("skipped  OpenAPI::Client: Debian's libopenapi-client-perl is not installed");
} finally {
  await server.discard();
  if (given === undefined) removeFolder(folder);
}
