import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { ObjectService } from "../../../objects/object-service.ts";
import { childrenOf, childText, type XmlElement } from "../../../runtime/xml.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import { readRemovalCondition } from "../../../semantics/s3/removal-condition.ts";
import type { Audited } from "../audited.ts";
import { type BucketInput, type ObjectInput, requireBucket } from "../s3-input.ts";
import { emptyResponse, xmlResponse } from "../s3-response.ts";
import { checkVersion, VERSION_ID } from "../version-id.ts";
import { TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";

const MAX_OBJECTS = 1000;

const DELETE = {
  Quiet: TEXT,
  Object: [{ Key: TEXT, VersionId: TEXT, ETag: TEXT, LastModifiedTime: TEXT, Size: TEXT }],
} as const;

type ObjectToRemove = Parameters<ObjectService["remove"]>[1][number];

/** DeleteObject. An absent object is no error. */
export async function deleteObject(input: ObjectInput<Authorized<"discard">>): Promise<Audited> {
  const { headers, caller, objects, bucket, objectKey } = input;
  checkVersion(input);
  const expect = readRemovalCondition({
    etag: headers.get("if-match") ?? undefined,
    size: headers.get("x-amz-if-match-size") ?? undefined,
    modifiedAt: headers.get("x-amz-if-match-last-modified-time") ?? undefined,
  });
  await requireBucket(input);
  const place = findObjectPlace(bucket, objectKey);
  const { removed, refused } = await objects.remove(
    caller,
    place === undefined ? [] : [{ ...place, expect }],
  );
  if (refused.length > 0) throw notAsExpected();
  return {
    response: emptyResponse(204),
    subject: { kind: "file", id: removed[0]?.id ?? null, name: `${bucket}/${objectKey}` },
    detail: { files: removed.length },
  };
}

interface Wanted {
  readonly key: string;
  /** undefined: no object can have such a key. */
  readonly object: ObjectToRemove | undefined;
  /** Why it is not removed. */
  readonly fault: S3Fault | undefined;
}

/** DeleteObjects, in one transaction. An object that is not as expected stays. */
export async function deleteObjects(input: BucketInput<Authorized<"discard">>): Promise<Audited> {
  const { caller, objects } = input;
  await requireBucket(input);
  const document = await readXml(input.content().chunks, "Delete", DELETE);
  const elements = childrenOf(document, "Object");
  if (elements.length === 0 || elements.length > MAX_OBJECTS) {
    throw new S3Fault("MalformedXML", `A request deletes 1 to ${MAX_OBJECTS} objects.`);
  }
  const listed = elements.map((element) => readWanted(element, input));
  const asked = listed.filter(({ object, fault }) => object !== undefined && fault === undefined);
  const { removed, refused } = await objects.remove(
    caller,
    asked.flatMap(({ object }) => object ?? []),
  );
  const kept = new Set(refused.map((position) => asked[position]));
  const wanted = listed.map((each) =>
    kept.has(each) ? { ...each, fault: notAsExpected() } : each,
  );
  const isQuiet = childText(document, "Quiet") === "true";
  const response = xmlResponse("DeleteResult", {
    Deleted: isQuiet
      ? []
      : wanted.filter(({ fault }) => fault === undefined).map(({ key }) => ({ Key: key })),
    Error: wanted.flatMap(({ key, fault }) =>
      fault === undefined
        ? []
        : [{ Key: key, Code: fault.s3Code, Message: fault.message, VersionId: undefined }],
    ),
  });
  return {
    response,
    subject: { kind: "folder", id: null, name: input.bucket },
    detail: { files: removed.length },
  };
}

function readWanted(element: XmlElement, { bucket }: BucketInput): Wanted {
  const key = childText(element, "Key");
  if (key === undefined || key === "") {
    throw new S3Fault("MalformedXML", "Every Object needs a Key.");
  }
  const version = childText(element, "VersionId");
  const isKnown = version === undefined || version === "" || version === VERSION_ID;
  const place = findObjectPlace(bucket, key);
  const expect = readRemovalCondition({
    etag: childText(element, "ETag"),
    size: childText(element, "Size"),
    modifiedAt: childText(element, "LastModifiedTime"),
  });
  return {
    key,
    object: place && { ...place, expect },
    fault: isKnown
      ? undefined
      : new S3Fault("NoSuchVersion", "The server keeps no versions of objects."),
  };
}

const notAsExpected = (): S3Fault =>
  new S3Fault(
    "PreconditionFailed",
    "The object does not match the conditions. It was not deleted.",
  );
