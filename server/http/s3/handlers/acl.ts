import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { FileRecord, Visibility } from "../../../domain/records.ts";
import type { FileService } from "../../../files/file-service.ts";
import { childrenOf, childText } from "../../../runtime/xml.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import type { Audited } from "../audited.ts";
import { parseCannedAcl } from "../canned-acl.ts";
import { OWNER } from "../owner.ts";
import { type BucketInput, bucketKey, type ObjectInput, requireBucket } from "../s3-input.ts";
import { emptyResponse, xmlResponse } from "../s3-response.ts";
import { setBucketSetting } from "../set-bucket-setting.ts";
import { checkVersion } from "../version-id.ts";
import { TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";
import { requireAcls } from "./bucket-ownership.ts";
import { missingObject } from "./get-object.ts";

const EVERYONE = "http://acs.amazonaws.com/groups/global/AllUsers";
const XSI = "http://www.w3.org/2001/XMLSchema-instance";

export async function getBucketAcl(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const settings = await objects.bucketSettings(caller, bucketKey(bucket));
  return aclResponse(settings?.acl === PUBLIC_READ);
}

/** With public-read, everyone may list the objects that are public. It makes none of them public. */
export async function putBucketAcl(input: BucketInput<Authorized<"write">>): Promise<Audited> {
  await requireBucket(input);
  await requireAcls(input, "");
  const acl = input.headers.get("x-amz-acl");
  return setBucketAcl(input, acl === null ? await readPolicy(input) : parseCannedAcl(acl));
}

export const setBucketAcl = (
  input: BucketInput<Authorized<"write">>,
  visibility: Visibility,
): Promise<Audited> => {
  const value = visibility === "public" ? PUBLIC_READ : null;
  return setBucketSetting(input, { name: "acl", value }, 200);
};

const PUBLIC_READ = "public-read";

const POLICY = {
  Owner: { ID: TEXT, DisplayName: TEXT },
  AccessControlList: {
    Grant: [
      {
        Grantee: { ID: TEXT, DisplayName: TEXT, URI: TEXT, EmailAddress: TEXT, Type: TEXT },
        Permission: TEXT,
      },
    ],
  },
} as const;

export async function getObjectAcl(input: ObjectInput<Authorized<"read">>): Promise<Response> {
  checkVersion(input);
  return aclResponse((await findObject(input)).visibility === "public");
}

/** Changes the visibility of the file. */
export function createPutObjectAcl(files: Pick<FileService, "change">) {
  return async (input: ObjectInput<Authorized<"read" | "write">>): Promise<Audited> => {
    checkVersion(input);
    const acl = input.headers.get("x-amz-acl");
    await requireAcls(input, acl ?? "");
    const visibility = acl === null ? await readPolicy(input) : parseCannedAcl(acl);
    const { key } = await findObject(input);
    // By the key: another file may have taken it since.
    const { id } = await files.change(input.caller, { id: { key }, visibility });
    const response = emptyResponse(200);
    return { response, subject: { kind: "file", id, name: key }, detail: { visibility } };
  };
}

/**
 * The visibility of a document that gives the owner full control and, at most, everyone the right to read.
 * S3Faults "NotImplemented": it gives other rights; "MalformedXML".
 */
async function readPolicy(input: BucketInput): Promise<Visibility> {
  const document = await readXml(input.content().chunks, "AccessControlPolicy", POLICY);
  const lists = childrenOf(document, "AccessControlList");
  let visibility: Visibility = "private";
  for (const grant of lists.flatMap((list) => childrenOf(list, "Grant"))) {
    const [grantee] = childrenOf(grant, "Grantee");
    const permission = childText(grant, "Permission");
    const uri = grantee === undefined ? undefined : childText(grantee, "URI");
    const id = grantee === undefined ? undefined : childText(grantee, "ID");
    if (uri === EVERYONE && permission === "READ") visibility = "public";
    else if (id !== OWNER.ID || permission !== "FULL_CONTROL") {
      throw new S3Fault("NotImplemented", "Only everyone can get access, and only to read.");
    }
  }
  return visibility;
}

async function findObject(input: ObjectInput<Authorized<"read">>): Promise<FileRecord> {
  const place = findObjectPlace(input.bucket, input.objectKey);
  const file =
    place === undefined || place.isFolder
      ? undefined
      : await input.objects.find(input.caller, place.key);
  if (file === undefined) throw await missingObject(input);
  return file;
}

function aclResponse(isPublic: boolean): Response {
  const owner = {
    Grantee: { "@xmlns:xsi": XSI, "@xsi:type": "CanonicalUser", ...OWNER },
    Permission: "FULL_CONTROL",
  };
  const everyone = {
    Grantee: {
      "@xmlns:xsi": XSI,
      "@xsi:type": "Group",
      URI: EVERYONE,
    },
    Permission: "READ",
  };
  return xmlResponse("AccessControlPolicy", {
    Owner: OWNER,
    AccessControlList: { Grant: isPublic ? [owner, everyone] : [owner] },
  });
}
