import { numberSettings } from "../../../contract/settings.ts";
import type { Config } from "../../config/config.ts";
import { bytesText } from "../amounts.ts";
import { type Advice, careful, wrong } from "./advice.ts";
import { announceUpload } from "./announce-upload.ts";
import { type AuditDetails, ask } from "./ask.ts";
import { isLoopback } from "./examine-config.ts";

/** What the address that visitors use tells of the proxy behind it. */
export async function examineProxy(config: Config): Promise<Advice[]> {
  const { publicUrl } = config;
  if (publicUrl === null) return [];
  const seen = await ask(`${publicUrl}/api/health`);
  if (seen === undefined || !isOurs(seen)) {
    return [
      wrong(
        `PUBLIC_URL, ${publicUrl}, does not lead to this server from here${seen === undefined ? "" : `: it answers ${seen.status}`}.`,
        "See to the name, the certificate and the proxy. If only outsiders can use the address, look at it from outside.",
      ),
    ];
  }
  return [
    ...examineTransport(publicUrl, seen),
    ...(await examineUploads(publicUrl, config)),
    ...(await examineDelivery(publicUrl, config)),
  ];
}

const isOurs = ({ text }: AuditDetails): boolean => text.includes("Holdall");

function examineTransport(publicUrl: string, seen: AuditDetails): Advice[] {
  const isLocal = isLoopback(new URL(publicUrl).hostname);
  if (!publicUrl.startsWith("https:") || isLocal) return [];
  if (seen.header("strict-transport-security") !== null) return [];
  return [
    careful(
      "The proxy sends no Strict-Transport-Security: a visitor's first request may go unencrypted.",
      'Have it send: Strict-Transport-Security: "max-age=31536000"',
    ),
  ];
}

/** Proxies have limits of their own for what they pass on, and nginx's is 1 MB unless it is told. */
async function examineUploads(publicUrl: string, { settings }: Config): Promise<Advice[]> {
  const most = settings.maxUploadSize ?? numberSettings.maxUploadSize.default;
  const status = await announceUpload(`${publicUrl}/api/files`, most);
  if (status !== 413) return [];
  return [
    wrong(
      `The proxy refuses uploads that MAX_UPLOAD_SIZE allows: one of ${bytesText(most)} is answered with 413 before Holdall hears of it.`,
      "Have the proxy pass on bodies of any size (nginx: client_max_body_size 0), or set MAX_UPLOAD_SIZE to its limit.",
    ),
  ];
}

/** Whether the proxy that is to send the bytes knows of it, and keeps them from everybody else. */
async function examineDelivery(
  publicUrl: string,
  { delivery, deliveryPrefix }: Config,
): Promise<Advice[]> {
  if (delivery !== "x-accel") return [];
  const place = await ask(`${publicUrl}${deliveryPrefix}`);
  if (place === undefined || place.status === 404) {
    // Its own "not found" is the proxy's; ours came through it.
    const isPassedOn = place?.text.includes('"error":{"message"') ?? false;
    if (!isPassedOn) return [];
    return [
      wrong(
        `DELIVERY is x-accel, but the proxy has no place of its own at ${deliveryPrefix}: visitors get files without bytes.`,
        "Give nginx the lines of deploy/nginx-x-accel.conf, or leave DELIVERY out.",
      ),
    ];
  }
  return [
    wrong(
      `The proxy answers ${place.status} at ${deliveryPrefix}, where the bytes of all files are, to everybody who asks.`,
      "Mark that location as internal, as in deploy/nginx-x-accel.conf.",
    ),
  ];
}
