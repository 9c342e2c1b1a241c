import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  requireSameFile,
  requireSameTree,
  type S3ClientProgram,
  writeFiles,
  writeTree,
} from "./client-run.ts";
import { gitAnnex } from "./git-annex.ts";
import { minioGo } from "./minio-go.ts";
import { npmClients } from "./npm-clients.ts";
import { rclone, rcloneMount } from "./rclone.ts";
import { s3fs } from "./s3fs.ts";

const restic: S3ClientProgram = {
  name: "restic",
  probe: ["restic", "version"],
  env: ({ server }) => ({
    RESTIC_REPOSITORY: `s3:${server.url}/of-restic/repository`,
    RESTIC_PASSWORD: "a password of the tests",
  }),
  steps({ run, measure, folder, size }) {
    const source = join(folder, "source");
    writeTree(source);
    writeFiles(join(source, "many"), size.files);
    run("restic", "init");
    measure(`backs up ${size.files} files`, () => run("restic", "backup", "source"));
    appendFileSync(join(source, "small.txt"), "more");
    run("restic", "backup", "source");
    run("restic", "check", "--read-data");
    run("restic", "forget", "--keep-last", "1");
    measure("prunes", () => run("restic", "prune"));
    measure("checks all data", () => run("restic", "check", "--read-data"));
    measure("restores", () => run("restic", "restore", "latest", "--target", "back"));
    requireSameTree(source, join(folder, "back/source"));
  },
};

const aws: S3ClientProgram = {
  name: "aws-cli",
  probe: ["aws", "--version"],
  steps({ run, bucket, folder, server }) {
    const s3 = (...args: string[]) => run("aws", "--endpoint-url", server.url, "s3", ...args);
    const source = join(folder, "source");
    writeTree(source);
    s3("mb", `s3://${bucket}`);
    s3("sync", source, `s3://${bucket}/tree`);
    if (s3("sync", source, `s3://${bucket}/tree`) !== "") throw new Error("sync copies again");
    s3("sync", `s3://${bucket}/tree`, join(folder, "back"));
    requireSameTree(source, join(folder, "back"));
    s3("cp", join(source, "large.bin"), `s3://${bucket}/large.bin`);
    s3("cp", `s3://${bucket}/large.bin`, join(folder, "large.bin"));
    requireSameFile(join(source, "large.bin"), join(folder, "large.bin"));
    s3("rm", `s3://${bucket}/large.bin`);
    if (s3("ls", `s3://${bucket}`).includes("large.bin")) throw new Error("rm did not delete");
    s3("cp", "--recursive", `s3://${bucket}/tree`, `s3://${bucket}/copy`);
    rmSync(join(source, "empty.txt"));
    s3("sync", "--delete", source, `s3://${bucket}/copy`);
    if (s3("ls", "--recursive", `s3://${bucket}/copy`).includes("empty.txt")) {
      throw new Error("sync --delete did not delete");
    }
    mkdirSync(join(folder, ".aws"));
    // Version 1 of the program signs URLs with version 2 unless it is told otherwise.
    for (const version of ["", "[default]\ns3 =\n  signature_version = s3v4\n"]) {
      writeFileSync(join(folder, ".aws/config"), version);
      const url = s3("presign", `s3://${bucket}/tree/small.txt`).trim();
      run("curl", "-fsS", "-o", "presigned.txt", url);
      requireSameFile(join(source, "small.txt"), join(folder, "presigned.txt"));
    }
    s3("rm", "--recursive", `s3://${bucket}/tree`);
    s3("rb", "--force", `s3://${bucket}`);
  },
};

const s3cmd: S3ClientProgram = {
  name: "s3cmd",
  probe: ["s3cmd", "--version"],
  steps({ run, bucket, folder, server }) {
    const { accessKeyId, secretAccessKey } = server.credentials;
    const host = `127.0.0.1:${server.port}`;
    writeFileSync(
      join(folder, ".s3cfg"),
      `[default]\naccess_key = ${accessKeyId}\nsecret_key = ${secretAccessKey}\nhost_base = ${host}\nhost_bucket = ${host}\nuse_https = False\nmultipart_chunk_size_mb = 5\n`,
    );
    const s3 = (...args: string[]) => run("s3cmd", ...args);
    const source = join(folder, "source");
    writeTree(source);
    s3("mb", `s3://${bucket}`);
    s3("sync", `${source}/`, `s3://${bucket}/tree/`);
    const url = s3("signurl", `s3://${bucket}/tree/small.txt`, "+60").trim();
    run("curl", "-fsS", "-o", "signed.txt", url);
    requireSameFile(join(source, "small.txt"), join(folder, "signed.txt"));
    s3("--signature-v2", "put", join(source, "small.txt"), `s3://${bucket}/by-v2.txt`);
    s3("--signature-v2", "del", `s3://${bucket}/by-v2.txt`);
    s3("sync", `s3://${bucket}/tree/`, `${folder}/back/`);
    requireSameTree(source, join(folder, "back"));
    s3("cp", `s3://${bucket}/tree/small.txt`, `s3://${bucket}/copy.txt`);
    s3("info", `s3://${bucket}/copy.txt`);
    s3("setacl", "--acl-public", `s3://${bucket}/copy.txt`);
    run("curl", "-fsS", "-o", "public.txt", `${server.url}/api/hosting/${bucket}/copy.txt`);
    s3("del", "--recursive", "--force", `s3://${bucket}`);
    s3("rb", `s3://${bucket}`);
  },
};

const boto3: S3ClientProgram = {
  name: "boto3",
  probe: ["/usr/bin/python3", "-c", "import boto3"],
  steps({ run, bucket, folder, server }) {
    writeTree(join(folder, "source"));
    writeFileSync(
      join(folder, "steps.py"),
      `import boto3, filecmp, urllib.request
from botocore.config import Config
s3 = boto3.client("s3", endpoint_url="${server.url}", config=Config(signature_version="s3v4"))
s3.create_bucket(Bucket="${bucket}")
s3.upload_file("source/large.bin", "${bucket}", "large.bin", ExtraArgs={"Metadata": {"a": "1"}})
s3.download_file("${bucket}", "large.bin", "large.bin")
assert filecmp.cmp("source/large.bin", "large.bin", shallow=False)
assert s3.head_object(Bucket="${bucket}", Key="large.bin")["Metadata"] == {"a": "1"}
s3.copy({"Bucket": "${bucket}", "Key": "large.bin"}, "${bucket}", "folder/copy.bin")
url = s3.generate_presigned_url("get_object", Params={"Bucket": "${bucket}", "Key": "folder/copy.bin"})
assert urllib.request.urlopen(url).read() == open("large.bin", "rb").read()
form = s3.generate_presigned_post("${bucket}", "folder/form.txt")
assert form["url"].startswith("${server.url}")
listed = s3.list_objects_v2(Bucket="${bucket}", Delimiter="/")
assert [each["Prefix"] for each in listed["CommonPrefixes"]] == ["folder/"]
boto3.resource("s3", endpoint_url="${server.url}").Bucket("${bucket}").objects.delete()
s3.delete_bucket(Bucket="${bucket}")
`,
    );
    run("/usr/bin/python3", "steps.py");
  },
};

export const clientPrograms: readonly S3ClientProgram[] = [
  rclone,
  rcloneMount,
  restic,
  aws,
  s3cmd,
  boto3,
  s3fs,
  gitAnnex,
  minioGo,
  ...npmClients,
];
