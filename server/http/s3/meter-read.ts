import type { S3Deps } from "./s3-deps.ts";
import { internalError, s3FaultFrom } from "./s3-response.ts";
import type { S3Target } from "./s3-target.ts";

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/**
 * Counts the status of `response` if the request reads an object. For requests that no operation counts,
 * because nobody is authenticated.
 */
export async function meterRead<T>(
  meter: S3Deps["meter"],
  { method }: Request,
  { key }: S3Target,
  response: Promise<T>,
): Promise<T> {
  if (key === undefined || !isRead(method)) return response;
  try {
    const result = await response;
    if (result instanceof Response) meter(result.status);
    return result;
  } catch (error) {
    meter((s3FaultFrom(error) ?? internalError()).status);
    throw error;
  }
}
