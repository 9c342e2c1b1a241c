import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Millis } from "../../domain/records.ts";
import { UNSIGNED_BODY } from "./body-format.ts";
import { parseCredential, parseTimestamp } from "./credential.ts";
import { type PolicyCondition, type PostPolicy, parsePolicy } from "./post-policy.ts";
import type { SignatureVersions } from "./read-credentials.ts";
import { ALGORITHM } from "./signing.ts";
import { rejectSecurityToken, unsupportedVersion } from "./unsupported-signature.ts";
import type { SignedCredentials } from "./verify-signature.ts";

/** The fields of a form before its file: names in lower case, and `bucket`, from the URL. */
export type FormFields = ReadonlyMap<string, string>;

const CREDENTIAL_FIELDS = [
  "policy",
  "signature",
  "awsaccesskeyid",
  "x-amz-algorithm",
  "x-amz-credential",
  "x-amz-signature",
];

/**
 * The credentials in a form, and its policy; undefined: there are none. S3Fault: they are incomplete, malformed,
 * or of another version. Verifying the credentials also checks that the form follows the policy.
 */
export function formCredentials(
  fields: FormFields,
  { acceptsV2 = true }: SignatureVersions = {},
): { readonly credentials: SignedCredentials; readonly policy: PostPolicy } | undefined {
  if (!CREDENTIAL_FIELDS.some((name) => fields.has(name))) return undefined;
  const one = (name: string): string => {
    const value = fields.get(name);
    if (value !== undefined) return value;
    throw new S3Fault(
      "InvalidArgument",
      `Bucket POST must contain a field named '${name}'. If it is specified, please check the order of the fields: it must come before the file.`,
    );
  };
  if (fields.has("awsaccesskeyid")) {
    if (!acceptsV2) throw unsupportedVersion();
    if (V4_FIELDS.some((name) => fields.has(name))) throw unsupportedVersion();
    return formCredentialsV2(fields, {
      accessKeyId: one("awsaccesskeyid"),
      signature: one("signature"),
      encoded: one("policy"),
    });
  }
  if (one("x-amz-algorithm") !== ALGORITHM) throw unsupportedVersion();
  rejectSecurityToken(fields.get("x-amz-security-token"));
  const encoded = one("policy");
  const credential = parseCredential(one("x-amz-credential"));
  const timestamp = one("x-amz-date");
  const signature = one("x-amz-signature");
  if (
    credential === undefined ||
    parseTimestamp(timestamp) === undefined ||
    !timestamp.startsWith(credential.date) ||
    !/^[0-9a-f]{64}$/.test(signature)
  ) {
    throw new S3Fault(
      "InvalidArgument",
      "x-amz-credential must be KEY-ID/YYYYMMDD/REGION/s3/aws4_request, x-amz-date the same date as YYYYMMDDTHHMMSSZ, and x-amz-signature 64 hex digits.",
    );
  }
  const policy = parsePolicy(encoded);
  const credentials: SignedCredentials = {
    kind: "form",
    accessKeyId: credential.accessKeyId,
    scope: { ...credential, timestamp },
    signature,
    texts: [encoded],
    checkTime: (now) => checkExpiration(policy, now),
    body: () => {
      checkPolicy(policy, fields);
      return UNSIGNED_BODY;
    },
  };
  return { credentials, policy };
}

const V4_FIELDS = ["x-amz-algorithm", "x-amz-credential", "x-amz-signature"];

function formCredentialsV2(
  fields: FormFields,
  given: { readonly accessKeyId: string; readonly signature: string; readonly encoded: string },
): { readonly credentials: SignedCredentials; readonly policy: PostPolicy } {
  rejectSecurityToken(fields.get("x-amz-security-token"));
  const { accessKeyId, signature, encoded } = given;
  if (!/^[^/:\s]{1,128}$/.test(accessKeyId)) {
    throw new S3Fault("InvalidArgument", "AWSAccessKeyId must be an access key.");
  }
  const policy = parsePolicy(encoded);
  const credentials: SignedCredentials = {
    kind: "form",
    accessKeyId,
    scope: null,
    signature,
    texts: [encoded],
    checkTime: (now) => checkExpiration(policy, now),
    body: () => {
      checkPolicy(policy, fields, UNCOVERED_V2);
      return UNSIGNED_BODY;
    },
  };
  return { credentials, policy };
}

function checkExpiration({ expiration }: PostPolicy, now: Millis): void {
  if (now < expiration) return;
  throw new S3Fault("AccessDenied", "Invalid according to Policy: Policy expired.");
}

/** Fields that no condition needs to cover, besides `x-ignore-…`. */
const UNCOVERED: ReadonlySet<string> = new Set(["policy", "x-amz-signature", "file"]);
const UNCOVERED_V2: ReadonlySet<string> = new Set([
  "policy",
  "signature",
  "awsaccesskeyid",
  "file",
]);

/**
 * Checks the fields of a form, with their names in lower case, against its policy. S3Fault
 * "AccessDenied": a condition does not hold, or no condition covers a field.
 */
export function checkPolicy(
  policy: PostPolicy,
  fields: ReadonlyMap<string, string>,
  uncovered = UNCOVERED,
): void {
  const covered = new Set<string>();
  for (const condition of policy.conditions) {
    if (!holds(condition, fields)) throw denied(`Policy Condition failed: ${textOf(condition)}`);
    covered.add(condition.field);
  }
  for (const field of fields.keys()) {
    if (covered.has(field) || uncovered.has(field) || field.startsWith("x-ignore-")) continue;
    throw denied(`Extra input fields: ${field}`);
  }
}

function holds({ kind, field, value }: PolicyCondition, fields: ReadonlyMap<string, string>) {
  const actual = fields.get(field);
  if (kind === "eq") return actual === value;
  if (actual === undefined) return value === "";
  // A list of types, such as "image/png,image/jpeg", must match as a whole.
  return field === "content-type"
    ? actual.split(",").every((each) => each.startsWith(value))
    : actual.startsWith(value);
}

const textOf = ({ kind, field, value }: PolicyCondition): string =>
  JSON.stringify([kind, `$${field}`, value]);

const denied = (why: string): S3Fault =>
  new S3Fault("AccessDenied", `Invalid according to Policy: ${why}`);
