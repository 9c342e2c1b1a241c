import type { S3Client } from "./s3-client.ts";
import { S3Error } from "./s3-error.ts";

/** The body of the response to a GET. */
export interface S3Body {
  /** undefined: the end. Throws S3Error. */
  next(): Promise<Uint8Array | undefined>;
  /** Ends the request without reading the rest. */
  cancel(): Promise<void>;
}

/** Reads the body of an open response. Its idle timeout runs only while bytes are awaited. */
export function readBody(
  key: string,
  { response, idleTimeout }: Awaited<ReturnType<S3Client["open"]>>,
): S3Body {
  const reader = response.body?.getReader();
  let hasEnded = false;
  idleTimeout.pause();
  return {
    async cancel() {
      if (hasEnded) return;
      hasEnded = true;
      idleTimeout.abort(new Error("cancelled"));
      await reader?.cancel().catch(() => {});
    },
    async next() {
      try {
        idleTimeout.restart();
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        idleTimeout.pause();
        hasEnded ||= done;
        return done ? undefined : value;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new S3Error(0, "", `GET ${key}: broke off (${why})`);
      }
    },
  };
}
