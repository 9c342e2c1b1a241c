import { AwsV4Signer } from "aws4fetch";
import { S3_CREDENTIALS, startS3Cluster } from "../../server/blobs/s3/s3-server.fixture.ts";
import { cpuTime, family, nameOf } from "../cpu-time.ts";
import { API_KEY, type ServerProcess } from "../server-process.ts";

/** An S3 server that is measured. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Processor time used so far, in milliseconds. */
  cpu(): number;
}

/** Signs the headers of a request whose body is not part of the signature. */
export async function signed(
  { url, credentials }: Contender,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Headers> {
  const signer = new AwsV4Signer({
    method,
    url: url + path,
    ...credentials,
    headers: { ...headers, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
    service: "s3",
    region: "us-east-1",
    allHeaders: true,
  });
  return (await signer.sign()).headers;
}

/** Sends a signed request. Throws if the response is not a success. */
export async function send(
  contender: Contender,
  method: string,
  path: string,
  body?: string | Blob,
): Promise<Response> {
  const headers = await signed(contender, method, path);
  const response = await fetch(contender.url + path, { method, headers, body: body ?? null });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** The server with the credentials of the key that it was started with. */
export async function holdall(server: ServerProcess): Promise<Contender> {
  const headers = { "API-Key": API_KEY, "Content-Type": "application/json" };
  const listed = await (await fetch(`${server.url}/api/keys`, { headers })).json();
  const body = JSON.stringify({ id: listed.data.keys[0].id });
  const answer = await fetch(`${server.url}/api/keys/s3`, { method: "POST", headers, body });
  const { accessKeyId, secretAccessKey } = (await answer.json()).data;
  return {
    name: "Holdall",
    url: server.url,
    credentials: { accessKeyId, secretAccessKey },
    cpu: server.cpu,
  };
}

/**
 * Ceph's S3 server with its objects on disk, durable when it acknowledges them, like ours. The
 * processor time counts the gateway and the process that stores the objects.
 */
export async function ceph(): Promise<Contender> {
  const url = await startS3Cluster("bluestore");
  const programs = ["radosgw", "ceph-osd"];
  const pids = family(process.pid).filter((pid) => programs.includes(nameOf(pid) ?? ""));
  if (pids.length !== programs.length) throw new Error("Ceph is not running.");
  const cpu = (): number => pids.reduce((sum, pid) => sum + cpuTime(pid), 0);
  return { name: "Ceph RGW", url, credentials: S3_CREDENTIALS, cpu };
}
