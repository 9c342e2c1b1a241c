import { expect } from "bun:test";
import {
  GetObjectAclCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { run } from "./harness.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { sha256 } from "./s3-api/sign-request.ts";

/** A server of the S3 API, with its credentials. */
export interface Address {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export const clientAt = ({ endpoint, accessKeyId, secretAccessKey }: Address): S3Client =>
  new S3Client({
    endpoint,
    credentials: { accessKeyId, secretAccessKey },
    region: "us-east-1",
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });

export interface ImportTarget {
  readonly server: S3TestServer;
  /** A client of the server's S3 API. */
  readonly holdall: S3Client;
  /** Runs `holdall import` on the data folder of the server, which runs meanwhile. */
  importFrom(address: Address, from: string, ...options: string[]): Promise<Imported>;
}

export interface Imported {
  /** null: a signal ended the command. */
  readonly code: number | null;
  /** Everything that the command printed. */
  readonly text: string;
  /** The numbers in its last line, if it has one. */
  readonly counts: Readonly<
    Record<"imported" | "existing" | "conflicts" | "skipped", number | undefined>
  >;
}

/** Starts a server to import into. */
export async function startImportTarget(): Promise<ImportTarget> {
  const server = await startS3Server();
  const holdall = clientAt({ endpoint: server.url, ...server.credentials });
  return { server, holdall, importFrom: (...args) => importInto(server, ...args) };
}

async function importInto(
  target: S3TestServer,
  address: Address,
  from: string,
  ...options: string[]
): Promise<Imported> {
  const ended = await run(["import", from, "--endpoint", address.endpoint, ...options], {
    ...target.env,
    AWS_ACCESS_KEY_ID: address.accessKeyId,
    AWS_SECRET_ACCESS_KEY: address.secretAccessKey,
  });
  const text = `${ended.stdout}${ended.stderr}`;
  expect(text).not.toMatch(/\n\s+at /);
  const [, imported, existing, conflicts, skipped] =
    /Imported ([\d,]+) objects? .*already present ([\d,]+); ([\d,]+) conflicts?; skipped ([\d,]+)/
      .exec(text)
      ?.map((each) => Number(each.replaceAll(",", ""))) ?? [];
  return { code: ended.code, text, counts: { imported, existing, conflicts, skipped } };
}

export async function keysAt(client: S3Client, Bucket: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    keys.push(...Contents.map(({ Key = "" }) => Key));
  }
  return keys;
}

/** Returns everything about an object that the two servers must agree about. */
export async function objectAt(client: S3Client, Bucket: string, Key: string) {
  const found = await client.send(new GetObjectCommand({ Bucket, Key }));
  const { TagSet } = await client.send(new GetObjectTaggingCommand({ Bucket, Key }));
  const { Grants } = await client.send(new GetObjectAclCommand({ Bucket, Key }));
  return {
    sha256: sha256((await found.Body?.transformToByteArray()) ?? ""),
    type: found.ContentType,
    etag: found.ETag,
    metadata: found.Metadata,
    headers: [
      // Without a value, the header says nothing.
      ...[found.CacheControl, found.ContentDisposition || undefined, found.ContentEncoding],
      ...[found.ContentLanguage, found.ExpiresString],
    ],
    tags: TagSet?.map(({ Key: name, Value }) => `${name}=${Value}`).sort(),
    isPublic: Grants?.some(({ Grantee }) => Grantee?.URI?.endsWith("AllUsers") === true),
  };
}

/** Keys that objects can have here and there. */
export const CARRIED = [
  "plain.txt",
  "with space.txt",
  " leading and trailing ",
  "plus+sign",
  "percent%20literal%",
  "ünïcödé/日本語/ファイル.txt",
  "emoji 😀",
  "quotes '\"`",
  "ampersand & <angle>",
  "semicolon;equals=comma,at@dollar$",
  "hash#question?",
  "tilde~star*bang!(paren)",
  "brackets[]{}|^",
  "dots...",
  ".hidden",
  "UPPER/lower",
  `${"deep/".repeat(60)}leaf`,
  `${"k".repeat(255)}/${"l".repeat(255)}/${"m".repeat(255)}`,
];
