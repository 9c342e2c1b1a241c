import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";

/** The functions that the test calls in a page of another site. Each sends requests to the S3 API. */
export interface S3Page {
  /** The status and the ETag that the page can read. */
  put(url: string, body: string): Promise<readonly [number, string | null]>;
  postForm(url: string, fields: readonly (readonly [string, string])[]): Promise<number>;
  /** Uploads in two parts, reads the object and returns its length. */
  multipart(options: PageClient): Promise<number>;
  /** The name of the error; null: none. */
  putObject(options: PageClient): Promise<string | null>;
}

export interface PageClient {
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly bucket: string;
}

const PART_BYTES = 5 * 1024 * 1024;

const clientOf = ({ endpoint, credentials }: PageClient) =>
  new S3Client({
    endpoint,
    credentials,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
  });

const page: S3Page = {
  async put(url, body) {
    const headers = { "Content-Type": "text/plain" };
    const response = await fetch(url, { method: "PUT", body, headers });
    return [response.status, response.headers.get("ETag")];
  },
  async postForm(url, fields) {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    form.append("file", new Blob(["by a form"]), "form.txt");
    return (await fetch(url, { method: "POST", body: form })).status;
  },
  async multipart(options) {
    const client = clientOf(options);
    const object = { Bucket: options.bucket, Key: "in-parts.bin" };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (const PartNumber of [1, 2]) {
      const Body = new Uint8Array(PART_BYTES);
      const part = { ...object, UploadId, PartNumber, Body };
      const { ETag } = await client.send(new UploadPartCommand(part));
      Parts.push({ ETag, PartNumber });
    }
    const upload = { ...object, UploadId, MultipartUpload: { Parts } };
    await client.send(new CompleteMultipartUploadCommand(upload));
    const { Body } = await client.send(new GetObjectCommand(object));
    return (await Body?.transformToByteArray())?.length ?? 0;
  },
  async putObject(options) {
    const Metadata = { own: "value" };
    const object = { Bucket: options.bucket, Key: "small.txt", Body: "content", Metadata };
    return clientOf(options)
      .send(new PutObjectCommand(object))
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.name : String(error)),
      );
  },
};

Object.assign(window, { s3Page: page });
