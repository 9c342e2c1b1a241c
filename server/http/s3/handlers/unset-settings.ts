import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childText, type XmlElement } from "../../../runtime/xml.ts";
import { type BucketHandler, requireBucket } from "../s3-input.ts";
import { emptyResponse } from "../s3-response.ts";
import { ANYTHING } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";

/*
 * Settings that no bucket has. A request that says so, as tools send to remove them, is done already. One that
 * sets them is refused after its document was read, so that a mistake in it comes first.
 */

/** `fault`: why the document is refused; undefined: it changes nothing. */
const setting =
  (root: string, fault: (document: XmlElement) => S3Fault | undefined): BucketHandler =>
  async (input) => {
    await requireBucket(input);
    const found = fault(await readXml(input.content().chunks, root, ANYTHING));
    if (found !== undefined) throw found;
    return emptyResponse(200);
  };

const notImplemented = (message: string): S3Fault => new S3Fault("NotImplemented", message);

/** `unset`: the value that is so anyway. */
const choice =
  (name: string, unset: string, other: string, message: string) =>
  (document: XmlElement): S3Fault | undefined => {
    const value = childText(document, name)?.trim();
    if (value === unset) return undefined;
    return value === other
      ? notImplemented(message)
      : new S3Fault("MalformedXML", `${name} must be ${unset} or ${other}.`);
  };

export const unsetSettings = {
  "PUT?accelerate": setting(
    "AccelerateConfiguration",
    choice("Status", "Suspended", "Enabled", "The server has no transfer acceleration."),
  ),
  "PUT?logging": setting("BucketLoggingStatus", (document) =>
    document.children.length === 0
      ? undefined
      : notImplemented("The server writes no logs to buckets: see the activity log."),
  ),
  "PUT?notification": setting("NotificationConfiguration", (document) =>
    document.children.length === 0
      ? undefined
      : notImplemented("The server sends no notifications of S3: see the change feed."),
  ),
  "PUT?replication": setting(
    "ReplicationConfiguration",
    () =>
      new S3Fault(
        "InvalidRequest",
        "Versioning must be 'Enabled' on the bucket to apply a replication configuration.",
      ),
  ),
  "PUT?requestPayment": setting(
    "RequestPaymentConfiguration",
    choice("Payer", "BucketOwner", "Requester", "The server has no accounts that pay."),
  ),
  "PUT?website": setting("WebsiteConfiguration", () =>
    notImplemented("Buckets are no websites. Public objects have hosting URLs."),
  ),
};
