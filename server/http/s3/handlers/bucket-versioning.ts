import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childText } from "../../../runtime/xml.ts";
import { type BucketInput, requireBucket } from "../s3-input.ts";
import { emptyResponse } from "../s3-response.ts";
import { TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";

/** PutBucketVersioning: only that there are no versions, which is so anyway. */
export async function putBucketVersioning(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const document = await readXml(input.content().chunks, "VersioningConfiguration", {
    Status: TEXT,
    MfaDelete: TEXT,
  });
  const status = childText(document, "Status")?.trim();
  const mfa = childText(document, "MfaDelete")?.trim() ?? "Disabled";
  if (status === "Suspended" && mfa === "Disabled") return emptyResponse(200);
  if ((status !== "Enabled" && status !== "Suspended") || !["Enabled", "Disabled"].includes(mfa)) {
    throw new S3Fault("MalformedXML", "The Status must be Enabled or Suspended.");
  }
  throw new S3Fault(
    "NotImplemented",
    "The S3 API has no versions of objects. With the setting keepVersions, the server keeps replaced contents, which the dashboard and the REST API restore.",
  );
}
