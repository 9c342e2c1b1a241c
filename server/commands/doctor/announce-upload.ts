import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";

const TIMEOUT_MS = 5_000;

/**
 * The response status to the headers of an upload of this many bytes. Sends no body. undefined: no
 * response within the timeout.
 */
export function announceUpload(url: string, bytes: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const start = url.startsWith("https:") ? overHttps : overHttp;
    const request = start(url, {
      method: "POST",
      headers: {
        "Content-Type": "multipart/form-data; boundary=none",
        "Content-Length": String(bytes),
        // A server that would wait for the body responds with 100 at once.
        Expect: "100-continue",
      },
    });
    const end = (status: number | undefined) => {
      clearTimeout(timer);
      request.destroy();
      resolve(status);
    };
    const timer = setTimeout(() => end(undefined), TIMEOUT_MS);
    request.once("response", ({ statusCode }) => end(statusCode));
    request.once("continue", () => end(undefined));
    request.once("error", () => end(undefined));
    request.flushHeaders();
  });
}
