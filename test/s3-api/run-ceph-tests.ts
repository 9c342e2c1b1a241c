/*
 * Runs the tests of ceph/s3-tests that are in `ceph-tests.txt` against a server, with the Python of the
 * system. The tests in `ceph-known-failures.txt` may fail. Arguments: the folder of a copy of
 * github.com/ceph/s3-tests, then names or parts of names of tests to run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../harness.ts";
import { createS3Key, type S3Credentials, startS3Server } from "./s3-server.fixture.ts";

const PYTHON = "/usr/bin/python3";

const linesOf = (name: string): string[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

const [checkout = process.env.S3_TESTS ?? "", ...patterns] = process.argv.slice(2);
if (!existsSync(join(checkout, "s3tests/functional/test_s3.py"))) {
  console.error(
    "Name the folder of a copy of github.com/ceph/s3-tests: npm run s3-tests -- FOLDER",
  );
  process.exit(2);
}
const missing = spawnSync(PYTHON, [
  "-c",
  "import boto3, pytest, munch, isodate, pytz, requests, lxml, httplib2",
]);
if (missing.status !== 0) {
  console.error(
    "Install Debian's packages python3-boto3 python3-pytest python3-munch python3-isodate python3-tz python3-requests python3-lxml python3-httplib2.",
  );
  process.exit(2);
}

const known = new Map(
  linesOf("ceph-known-failures.txt").map((line) => {
    const [name = "", ...reason] = line.split(": ");
    return [name, reason.join(": ")] as const;
  }),
);
const tests = linesOf("ceph-tests.txt").filter(
  (name) => patterns.length === 0 || patterns.some((pattern) => name.includes(pattern)),
);
const folder = temporaryFolder();
// The tests send requests without a signature to this host, and expect that AES256 is accepted.
const server = await startS3Server({ S3_API_DOMAIN: "localhost", S3_ACCEPT_SSE: "true" });

const section = (name: string, fields: Readonly<Record<string, string>>): string =>
  [`[${name}]`, ...Object.entries(fields).map(([key, value]) => `${key} = ${value}`), ""].join(
    "\n",
  );
const user = ({ accessKeyId, secretAccessKey }: S3Credentials): Record<string, string> => ({
  display_name: "holdall",
  user_id: "holdall",
  email: "holdall@example.com",
  access_key: accessKeyId,
  secret_key: secretAccessKey,
});
const main = user(server.credentials);
const other = user(await createS3Key(server, { folder: "Elsewhere" }));
const tenant = user(await createS3Key(server, {}));
const configuration = [
  section("DEFAULT", { host: "localhost", port: String(server.port), is_secure: "False" }),
  section("fixtures", { "bucket prefix": "holdall-{random}-" }),
  section("s3 main", { ...main, api_name: "" }),
  section("s3 alt", { ...other, display_name: "other", user_id: "other" }),
  section("s3 tenant", { ...tenant, tenant: "holdall" }),
  section("iam", main),
  section("iam root", main),
  section("iam alt root", main),
].join("\n");
const file = join(folder, "s3tests.conf");
writeFileSync(file, configuration);

const report = join(folder, "report.xml");
const selection = tests.map((name) => `s3tests/functional/${name}`);
const pytest = spawnSync(
  PYTHON,
  [
    "-m",
    "pytest",
    "-q",
    "--tb=short",
    "-p",
    "no:cacheprovider",
    `--junitxml=${report}`,
    ...selection,
  ],
  {
    cwd: checkout,
    // Debian's awscli brings a library along with which boto3 signs and checks in another way.
    env: {
      ...process.env,
      S3TEST_CONF: file,
      PYTHONDONTWRITEBYTECODE: "1",
      BOTO_DISABLE_CRT: "true",
    },
    stdio: ["ignore", patterns.length > 0 ? "inherit" : "pipe", "inherit"],
    maxBuffer: 1024 ** 3,
  },
);
if (process.env.S3_TESTS_LOG !== undefined) {
  writeFileSync(process.env.S3_TESTS_LOG, `${pytest.stdout ?? ""}\n${server.output()}`);
}
await server.discard();

const passed = new Set<string>();
const others = new Map<string, string>();
const cases = existsSync(report) ? readFileSync(report, "utf8") : "";
for (const [, classname = "", name = "", end, content = ""] of cases.matchAll(
  /<testcase classname="([^"]*)" name="([^"]*)"[^>]*?(\/>|>([\s\S]*?)<\/testcase>)/g,
)) {
  const id = `${classname.split(".").at(-1)}.py::${name}`;
  if (end === "/>" || !/<(?:failure|error|skipped)/.test(content)) passed.add(id);
  else others.set(id, /message="([^"]{0,160})/.exec(content)?.[1] ?? "");
}
removeFolder(folder);

const unexpected = tests.filter((name) => !passed.has(name) && !known.has(name));
const repaired = tests.filter((name) => passed.has(name) && known.has(name));
for (const name of unexpected) console.log(`FAILED ${name}: ${others.get(name) ?? "did not run"}`);
for (const name of repaired) console.log(`PASSES, although it is a known failure: ${name}`);
console.log(
  `${passed.size} of ${tests.length} tests of ceph/s3-tests pass, ${tests.length - passed.size - unexpected.length} fail for a known reason, ${unexpected.length} fail.`,
);
process.exit(unexpected.length + repaired.length === 0 ? 0 : 1);
