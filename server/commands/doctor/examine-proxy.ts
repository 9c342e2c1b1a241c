import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { numberSettings } from "../../../contract/settings.ts";
import { isLoopback } from "../../config/advice/examine-addresses.ts";
import { type Advice, error, warning } from "../../config/advice.ts";
import type { Config } from "../../config/config.ts";
import { bytesText } from "../../terminal/amounts.ts";
import { get, type HttpResponse } from "./get.ts";

/** Examines the proxy at PUBLIC_URL. */
export async function examineProxy(config: Config): Promise<Advice[]> {
  const { publicUrl } = config;
  if (publicUrl === null) return [];
  const seen = await get(`${publicUrl}/api/health`);
  if (seen === undefined || !isOurs(seen)) {
    return [
      error(
        `PUBLIC_URL, ${publicUrl}, does not lead to this server from here${seen === undefined ? "" : `: it responds with ${seen.status}`}.`,
        "Check the host name, the certificate and the proxy. If the address works only from outside, check it from there.",
      ),
    ];
  }
  return [
    ...examineTransport(publicUrl, seen),
    ...(await examineUploads(publicUrl, config)),
    ...(await examineDelivery(publicUrl, config)),
  ];
}

const isOurs = ({ text }: HttpResponse): boolean => text.includes("Holdall");

function examineTransport(publicUrl: string, seen: HttpResponse): Advice[] {
  const isLocal = isLoopback(new URL(publicUrl).hostname);
  if (!publicUrl.startsWith("https:") || isLocal) return [];
  if (seen.header("strict-transport-security") !== null) return [];
  return [
    warning(
      "The proxy does not send Strict-Transport-Security: a visitor's first request may be unencrypted.",
      'Let it send the header Strict-Transport-Security: "max-age=31536000"',
    ),
  ];
}

/** Proxies have their own limit on request bodies: nginx 1 MB by default. */
async function examineUploads(publicUrl: string, { settings }: Config): Promise<Advice[]> {
  const max = settings.maxUploadSize ?? numberSettings.maxUploadSize.default;
  const status = await announceUpload(`${publicUrl}/api/files`, max);
  if (status !== 413) return [];
  return [
    error(
      `The proxy refuses uploads that MAX_UPLOAD_SIZE allows: one of ${bytesText(max)} gets 413 before it reaches Holdall.`,
      "Let the proxy pass on bodies of any size (nginx: client_max_body_size 0), or set MAX_UPLOAD_SIZE to its limit.",
    ),
  ];
}

const TIMEOUT_MS = 5_000;

/**
 * The response status to the headers of an upload of this many bytes. Sends no body. undefined: no
 * response within the timeout.
 */
function announceUpload(url: string, bytes: number): Promise<number | undefined> {
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

/** With x-accel, the location of the blobs must exist in the proxy and be internal. */
async function examineDelivery(
  publicUrl: string,
  { delivery, deliveryPrefix }: Config,
): Promise<Advice[]> {
  if (delivery !== "x-accel") return [];
  const place = await get(`${publicUrl}${deliveryPrefix}`);
  if (place === undefined || place.status === 404) {
    // A 404 from Holdall means that the proxy passed the request on; a 404 from the proxy is right.
    const isPassedOn = place?.text.includes('"data":null,"error":{') ?? false;
    if (!isPassedOn) return [];
    return [
      error(
        `DELIVERY is x-accel, but the proxy has no location at ${deliveryPrefix}: clients get empty files.`,
        "Add the lines of deploy/nginx-x-accel.conf to nginx, or remove DELIVERY.",
      ),
    ];
  }
  return [
    error(
      `The proxy responds with ${place.status} at ${deliveryPrefix}, the location of all files, to everybody.`,
      "Mark that location as internal, as in deploy/nginx-x-accel.conf.",
    ),
  ];
}
