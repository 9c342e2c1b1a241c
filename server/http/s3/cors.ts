import { isBucketName } from "../../../contract/text/bucket-name.ts";
import { SYSTEM } from "../../domain/callers/caller.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Key } from "../../domain/records.ts";
import type { ObjectService } from "../../objects/object-service.ts";
import { type CorsRequest, type CorsRule, findCorsRule } from "./cors-rules.ts";
import { readBucketCors } from "./handlers/bucket-cors.ts";
import { emptyResponse } from "./s3-response.ts";
import { isRead } from "./s3-target.ts";

/**
 * What web pages of other origins may do. No response allows credentials, and no cookie opens the S3 API, so
 * a page can do only what it has a signature for.
 */
export interface Cors {
  /**
   * S3Fault "AccessForbidden": without rules no page may do anything, and a page sends this request, which may
   * change something. Browsers send forms without a preflight.
   */
  rejectUnknownPage(request: Request, bucket: string | undefined): Promise<void>;
  /** The response to a preflight. S3Faults "AccessForbidden": no rule allows it; "BadRequest". */
  preflight(request: Request, bucket: string | undefined): Promise<Response>;
  /** Adds what lets the page read the response, if a rule allows the request. */
  allow(request: Request, bucket: string | undefined, response: Response): Promise<void>;
}

/** The rule of a bucket without rules. */
const ANY_ORIGIN: CorsRule = {
  origins: ["*"],
  methods: ["GET", "PUT", "HEAD", "POST", "DELETE"],
  headers: ["*"],
  // Multipart uploads need the ETag. Browsers that are older than the wildcard know it by its name.
  exposed: ["ETag", "x-amz-request-id", "*"],
  maxAge: 3600,
};

/** `isOpen`: whether a bucket without rules allows every origin. */
export function createCors(objects: Pick<ObjectService, "bucketSettings">, isOpen: boolean): Cors {
  async function rulesOf(bucket: string | undefined): Promise<readonly CorsRule[]> {
    const settings =
      bucket !== undefined && isBucketName(bucket)
        ? await objects.bucketSettings(SYSTEM, bucket as Key)
        : undefined;
    return readBucketCors(settings ?? {}) ?? (isOpen ? [ANY_ORIGIN] : []);
  }

  return {
    async rejectUnknownPage({ method, headers }, bucket) {
      const origin = headers.get("origin");
      if (isOpen || origin === null || isRead(method)) return;
      const rule = findCorsRule(await rulesOf(bucket), { origin, method, headers: [] });
      if (rule === undefined) throw notAllowed();
    },

    async preflight({ headers }, bucket) {
      const origin = headers.get("origin");
      const method = headers.get("access-control-request-method");
      if (origin === null || method === null) {
        throw new S3Fault(
          "BadRequest",
          "Insufficient information. Origin and Access-Control-Request-Method request headers needed.",
        );
      }
      const names = (headers.get("access-control-request-headers") ?? "").toLowerCase();
      const asked: CorsRequest = {
        origin,
        method,
        headers: names.split(",").flatMap((name) => name.trim() || []),
      };
      const rule = findCorsRule(await rulesOf(bucket), asked);
      if (rule === undefined) throw notAllowed();
      return emptyResponse(200, {
        ...originHeaders(rule, origin),
        ...(asked.headers.length === 0
          ? {}
          : { "Access-Control-Allow-Headers": asked.headers.join(", ") }),
        ...(rule.maxAge === undefined ? {} : { "Access-Control-Max-Age": String(rule.maxAge) }),
        Vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
      });
    },

    async allow({ method, headers }, bucket, response) {
      const origin = headers.get("origin");
      if (origin === null) return;
      const rule = findCorsRule(await rulesOf(bucket), { origin, method, headers: [] });
      response.headers.append("Vary", "Origin");
      response.headers.delete("Access-Control-Allow-Origin");
      response.headers.delete("Access-Control-Expose-Headers");
      if (rule === undefined) return;
      for (const [name, value] of Object.entries(originHeaders(rule, origin))) {
        response.headers.set(name, value);
      }
    },
  };
}

const notAllowed = (): S3Fault =>
  new S3Fault("AccessForbidden", "CORSResponse: This CORS request is not allowed.");

/** S3 names the methods in every response, not only to preflights. */
const originHeaders = (
  { origins, methods, exposed }: CorsRule,
  origin: string,
): Record<string, string> => ({
  "Access-Control-Allow-Origin": origins.includes("*") ? "*" : origin,
  "Access-Control-Allow-Methods": methods.join(", "),
  ...(exposed.length === 0 ? {} : { "Access-Control-Expose-Headers": exposed.join(", ") }),
});

/** The parts of the site that preflights on its port belong to, whatever they ask for. */
const SITE = /^\/(?:api|auth|mcp)(?:\/|$)/;

/** Whether a request without a signature is the preflight of one that the S3 API serves. */
export function isS3Preflight({ method, headers }: Request, path: string, query: string): boolean {
  if (method !== "OPTIONS" || SITE.test(path)) return false;
  const asked = headers.get("access-control-request-headers") ?? "";
  return /(?:^|&)(?:x-amz-|AWSAccessKeyId=)/i.test(query) || /(?:^|[\s,])x-amz-/i.test(asked);
}
