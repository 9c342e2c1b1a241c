import { quoteIfNeeded } from "../../../../contract/text/quote-shell.ts";
import type { S3Credentials } from "../../../../sdk/src/holdall.ts";
import type { S3Place } from "./s3-place.ts";

export interface S3Access extends S3Credentials, S3Place {
  /** The origin of the site. */
  readonly endpoint: string;
  /** Whether the key may upload. Otherwise the examples download. */
  readonly canWrite: boolean;
}

/** Something to copy, with its caption. */
export interface Snippet {
  readonly label: string;
  readonly code: string;
}

export const REGION = "us-east-1";

/** How each S3 client is set up for a key, by the client's name. */
export const S3_CLIENTS = {
  "aws-cli": awsCli,
  rclone,
  restic,
  s3cmd,
  boto3,
  JavaScript: javaScript,
} as const satisfies Record<string, (access: S3Access) => readonly Snippet[]>;

export type S3Client = keyof typeof S3_CLIENTS;

const lines = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join("\n");

const environment = ({ accessKeyId, secretAccessKey }: S3Access): string =>
  lines(
    `export AWS_ACCESS_KEY_ID=${accessKeyId}`,
    `export AWS_SECRET_ACCESS_KEY=${secretAccessKey}`,
  );

function awsCli(access: S3Access): readonly Snippet[] {
  const { endpoint, bucket, prefix, canWrite, canCreate } = access;
  const url = quoteIfNeeded(`s3://${bucket}/${prefix}`);
  return [
    {
      label: "Set up aws-cli in this shell",
      code: lines(
        environment(access),
        `export AWS_ENDPOINT_URL=${endpoint}`,
        `export AWS_REGION=${REGION}`,
      ),
    },
    {
      label: canWrite ? "Copy a folder to Holdall" : "Copy everything from Holdall",
      code: canWrite
        ? lines(
            canCreate && `aws s3 mb ${quoteIfNeeded(`s3://${bucket}`)}`,
            `aws s3 sync ./photos ${url}`,
          )
        : `aws s3 sync ${url} ./copy`,
    },
  ];
}

function rclone(access: S3Access): readonly Snippet[] {
  const { endpoint, accessKeyId, secretAccessKey, bucket, prefix, canWrite } = access;
  const remote = quoteIfNeeded(`holdall:${bucket}/${prefix}`.replace(/\/$/, ""));
  return [
    {
      label: "Add to ~/.config/rclone/rclone.conf",
      code: lines(
        "[holdall]",
        "type = s3",
        "provider = Other",
        `access_key_id = ${accessKeyId}`,
        `secret_access_key = ${secretAccessKey}`,
        `endpoint = ${endpoint}`,
        `region = ${REGION}`,
      ),
    },
    {
      label: canWrite ? "Copy a folder to Holdall" : "Copy everything from Holdall",
      code: canWrite ? `rclone copy ./photos ${remote}` : `rclone copy ${remote} ./copy`,
    },
  ];
}

function restic(access: S3Access): readonly Snippet[] {
  const { endpoint, bucket, prefix, canWrite } = access;
  const repository = quoteIfNeeded(`s3:${endpoint}/${bucket}/${prefix}restic`);
  return [
    {
      label: "Set up restic in this shell",
      code: lines(environment(access), `export RESTIC_REPOSITORY=${repository}`),
    },
    canWrite
      ? { label: "Make a backup", code: lines("restic init", "restic backup ~/documents") }
      : {
          label: "Restore a backup",
          code: lines(
            "restic snapshots --no-lock",
            "restic restore latest --no-lock --target ./restored",
          ),
        },
  ];
}

function s3cmd(access: S3Access): readonly Snippet[] {
  const { accessKeyId, secretAccessKey, bucket, prefix, canWrite, canCreate } = access;
  const { host, protocol } = new URL(access.endpoint);
  const url = quoteIfNeeded(`s3://${bucket}/${prefix}`);
  return [
    {
      label: "Save as ~/.s3cfg",
      code: lines(
        "[default]",
        `access_key = ${accessKeyId}`,
        `secret_key = ${secretAccessKey}`,
        `host_base = ${host}`,
        `host_bucket = ${host}`,
        `bucket_location = ${REGION}`,
        `use_https = ${protocol === "https:" ? "True" : "False"}`,
      ),
    },
    {
      label: canWrite ? "Upload a file" : "Copy everything from Holdall",
      code: canWrite
        ? lines(
            canCreate && `s3cmd mb ${quoteIfNeeded(`s3://${bucket}`)}`,
            `s3cmd put photo.jpg ${url}`,
          )
        : `s3cmd sync ${url} ./copy/`,
    },
  ];
}

function boto3(access: S3Access): readonly Snippet[] {
  const { endpoint, accessKeyId, secretAccessKey, bucket, prefix, canWrite, canCreate } = access;
  const [name, key] = [JSON.stringify(bucket), JSON.stringify(`${prefix}photo.jpg`)];
  return [
    {
      label: canWrite ? "Upload a file with Python" : "Download a file with Python",
      code: lines(
        "import boto3",
        "",
        "s3 = boto3.client(",
        '    "s3",',
        `    endpoint_url="${endpoint}",`,
        `    region_name="${REGION}",`,
        `    aws_access_key_id="${accessKeyId}",`,
        `    aws_secret_access_key="${secretAccessKey}",`,
        ")",
        canWrite && canCreate && `s3.create_bucket(Bucket=${name})`,
        canWrite
          ? `s3.upload_file("photo.jpg", ${name}, ${key})`
          : `s3.download_file(${name}, ${key}, "photo.jpg")`,
      ),
    },
  ];
}

function javaScript(access: S3Access): readonly Snippet[] {
  const { endpoint, accessKeyId, secretAccessKey, bucket, prefix, canWrite } = access;
  const [name, key] = [JSON.stringify(bucket), JSON.stringify(`${prefix}hello.txt`)];
  const command = canWrite ? "PutObjectCommand" : "GetObjectCommand";
  return [
    { label: "Install the SDK", code: "npm install @aws-sdk/client-s3" },
    {
      label: canWrite ? "Upload text with JavaScript" : "Read text with JavaScript",
      code: lines(
        `import { ${command}, S3Client } from "@aws-sdk/client-s3";`,
        "",
        "const s3 = new S3Client({",
        `  endpoint: "${endpoint}",`,
        `  region: "${REGION}",`,
        "  forcePathStyle: true,",
        "  credentials: {",
        `    accessKeyId: "${accessKeyId}",`,
        `    secretAccessKey: "${secretAccessKey}",`,
        "  },",
        "});",
        ...(canWrite
          ? [
              "await s3.send(",
              `  new PutObjectCommand({ Bucket: ${name}, Key: ${key}, Body: "Hello" }),`,
              ");",
            ]
          : [
              "const { Body } = await s3.send(",
              `  new GetObjectCommand({ Bucket: ${name}, Key: ${key} }),`,
              ");",
              "console.log(await Body.transformToString());",
            ]),
      ),
    },
  ];
}
