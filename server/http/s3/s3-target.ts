import { S3Fault } from "../../domain/faults/s3-fault.ts";

/** What an S3 request is about. */
export interface S3Target {
  /** As the client wrote it, which need not be a valid name. undefined: all buckets. */
  readonly bucket: string | undefined;
  /** Decoded. undefined: the bucket itself. */
  readonly key: string | undefined;
}

/**
 * The bucket and key of a request, from its raw path and its host: path-style, or virtual-hosted style
 * if the host is a subdomain of `domain`. S3Fault "InvalidURI": the path is not percent-encoded UTF-8.
 */
export function readTarget(path: string, host: string | null, domain: string | null): S3Target {
  const bucketOfHost = domain === null ? undefined : bucketIn(host, domain);
  const decoded = decodePath(path.replace(/^\//, ""));
  if (bucketOfHost !== undefined) {
    return { bucket: bucketOfHost, key: decoded === "" ? undefined : decoded };
  }
  const slash = decoded.indexOf("/");
  const bucket = slash < 0 ? decoded : decoded.slice(0, slash);
  const key = slash < 0 ? "" : decoded.slice(slash + 1);
  return {
    bucket: bucket === "" ? undefined : bucket,
    key: bucket === "" || key === "" ? undefined : key,
  };
}

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** Whether every request to this host is of the S3 API. */
export function isS3Host(host: string | null, domain: string): boolean {
  const name = hostName(host);
  return name === domain || name.endsWith(`.${domain}`);
}

/** The bucket that a host below `domain` names. */
export function bucketIn(host: string | null, domain: string): string | undefined {
  const name = hostName(host);
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined;
}

const hostName = (host: string | null): string => (host ?? "").replace(/:\d*$/, "").toLowerCase();

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new S3Fault("InvalidURI", "The path must be percent-encoded UTF-8.", { cause });
  }
}
