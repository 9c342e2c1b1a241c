import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Client } from "minio";
import { requireSameFile, type S3ClientProgram, writeLarge } from "./client-run.ts";

const OBJECTS = Array.from({ length: 1200 }, (_, at) => `folder ${at % 7}/ü-${at}`);
/** Enough for both clients, and no more sockets than they open. */
const AT_ONCE = 20;

async function forAll(keys: readonly string[], run: (key: string) => Promise<unknown>) {
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    await Promise.all(keys.slice(from, from + AT_ONCE).map(run));
  }
}

function requireAll(found: readonly unknown[]): void {
  if (found.toSorted().join() !== [...OBJECTS, "large/random.bin"].sort().join()) {
    throw new Error(`The list of objects is wrong: ${found.length} keys.`);
  }
}

async function download(url: string, file: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`A presigned URL gets ${response.status}.`);
  await Bun.write(file, response);
}

const awsSdk: S3ClientProgram = {
  name: "aws-sdk",
  async steps({ server, measure, bucket: Bucket, folder, size }) {
    const { url: endpoint, credentials } = server;
    const region = "us-east-1";
    const client = new S3Client({ endpoint, credentials, region, forcePathStyle: true });
    const [local, back] = [join(folder, "large/random.bin"), join(folder, "back.bin")];
    writeLarge(join(folder, "large"), size.bytes);
    const large = { Bucket, Key: "large/random.bin" };
    await client.send(new CreateBucketCommand({ Bucket }));
    await measure("uploads a file in parts", () =>
      new Upload({ client, params: { ...large, Body: createReadStream(local) } }).done(),
    );
    await measure("downloads it", async () => {
      const { Body } = await client.send(new GetObjectCommand(large));
      if (!(Body instanceof Readable)) throw new Error("The body is no stream.");
      await pipeline(Body, createWriteStream(back));
    });
    requireSameFile(local, back);
    await download(await getSignedUrl(client, new GetObjectCommand(large)), back);
    requireSameFile(local, back);
    await measure(`puts ${OBJECTS.length} objects`, () =>
      forAll(OBJECTS, (Key) => client.send(new PutObjectCommand({ Bucket, Key, Body: Key }))),
    );
    const found: (string | undefined)[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
      found.push(...Contents.map(({ Key }) => Key));
      const Objects = Contents.map(({ Key }) => ({ Key }));
      await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    }
    requireAll(found);
    await client.send(new DeleteBucketCommand({ Bucket }));
    client.destroy();
  },
};

const minioJs: S3ClientProgram = {
  name: "minio-js",
  async steps({ server, measure, bucket, folder, size }) {
    const { accessKeyId: accessKey, secretAccessKey: secretKey } = server.credentials;
    const client = new Client({
      endPoint: "127.0.0.1",
      port: server.port,
      useSSL: false,
      accessKey,
      secretKey,
    });
    const key = "large/random.bin";
    const [local, back] = [join(folder, key), join(folder, "back.bin")];
    writeLarge(join(folder, "large"), size.bytes);
    await client.makeBucket(bucket);
    await measure("uploads a file in parts", () => client.fPutObject(bucket, key, local));
    await measure("downloads it", () => client.fGetObject(bucket, key, back));
    requireSameFile(local, back);
    await download(await client.presignedGetObject(bucket, key, 600), back);
    requireSameFile(local, back);
    await measure(`puts ${OBJECTS.length} objects`, () =>
      forAll(OBJECTS, (name) => client.putObject(bucket, name, name)),
    );
    const found: string[] = [];
    for await (const { name } of client.listObjectsV2(bucket, "", true)) found.push(name);
    requireAll(found);
    await client.removeObjects(bucket, found);
    await client.removeBucket(bucket);
  },
};

/** Clients that run in this process. */
export const npmClients: readonly S3ClientProgram[] = [awsSdk, minioJs];
