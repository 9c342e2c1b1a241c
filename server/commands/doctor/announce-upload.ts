import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";

const PATIENCE_MS = 5_000;

/**
 * What an address answers to the beginning of an upload of so many bytes, of which none is sent;
 * undefined: nothing, in time.
 */
export function announceUpload(url: string, bytes: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const start = url.startsWith("https:") ? overHttps : overHttp;
    const request = start(url, {
      method: "POST",
      headers: {
        "Content-Type": "multipart/form-data; boundary=none",
        "Content-Length": String(bytes),
        // Who waits for the body says so, instead of waiting.
        Expect: "100-continue",
      },
    });
    const end = (status: number | undefined) => {
      clearTimeout(timer);
      request.destroy();
      resolve(status);
    };
    const timer = setTimeout(() => end(undefined), PATIENCE_MS);
    request.once("response", ({ statusCode }) => end(statusCode));
    request.once("continue", () => end(undefined));
    request.once("error", () => end(undefined));
    request.flushHeaders();
  });
}
