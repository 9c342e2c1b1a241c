import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { uuidV7 } from "../../runtime/uuid.ts";
import { childrenOf, childText, type XmlElement } from "../../runtime/xml.ts";
import type { LifecycleRule } from "../../semantics/s3/lifecycle.ts";
import { ANYTHING, TEXT } from "./xml/document-shape.ts";

const MAX_RULES = 1000;
const MAX_ID = 255;
/** A hundred years, as for the folders of Holdall. */
const MAX_DAYS = 36_500;
const MILLIS_OF_DAY = 86_400_000;

/** What rules can have in S3, and the server does not do. */
const UNSUPPORTED = [
  ...["Transition", "NoncurrentVersionTransition", "NoncurrentVersionExpiration"],
  ...["AbortIncompleteMultipartUploadAfter", "ExpiredObjectDeleteMarker"],
  ...["AllVersionsExpiration", "DelMarkerExpiration"],
];

/** The elements of a `LifecycleConfiguration`. Those that the server does not support get a fault of their own. */
export const LIFECYCLE = {
  Rule: [
    {
      ID: TEXT,
      Status: TEXT,
      Prefix: TEXT,
      Filter: {
        Prefix: TEXT,
        Tag: ANYTHING,
        And: ANYTHING,
        ObjectSizeGreaterThan: TEXT,
        ObjectSizeLessThan: TEXT,
      },
      Expiration: {
        Days: TEXT,
        Date: TEXT,
        ExpiredObjectDeleteMarker: TEXT,
        ExpiredObjectAllVersions: TEXT,
      },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: TEXT },
      ...Object.fromEntries(UNSUPPORTED.map((name) => [name, [ANYTHING] as const])),
    },
  ],
  // Clients of MinIO send what GetBucketLifecycleConfiguration has returned there.
  ExpiryUpdatedAt: TEXT,
} as const;

/**
 * The rules of a `LifecycleConfiguration`. S3Faults "MalformedXML" and "InvalidArgument": they break a rule of S3;
 * "NotImplemented": the server cannot do what one says.
 */
export function parseLifecycle(document: XmlElement): LifecycleRule[] {
  const rules = childrenOf(document, "Rule").map(parseRule);
  if (rules.length < 1 || rules.length > MAX_RULES) {
    throw malformed(`it must have 1 to ${MAX_RULES} rules`);
  }
  const ids = new Set(rules.map(({ id }) => id));
  if (ids.size < rules.length) throw invalid("Rule ID must be unique.");
  return rules;
}

function parseRule(rule: XmlElement): LifecycleRule {
  for (const { name } of rule.children) {
    if (UNSUPPORTED.includes(name)) throw notDone(`${name} in lifecycle rules`);
  }
  const id = childText(rule, "ID")?.trim() || uuidV7(Date.now());
  if (id.length > MAX_ID) throw invalid("ID length should not exceed allowed limit of 255.");
  const status = childText(rule, "Status")?.trim();
  if (status !== "Enabled" && status !== "Disabled") {
    throw malformed("Status must be Enabled or Disabled");
  }
  const { prefix, isBare } = prefixOf(rule);
  const days = expirationOf(rule);
  const abortDays = abortOf(rule);
  if (days === undefined && abortDays === undefined) {
    throw malformed("a rule needs an Expiration or an AbortIncompleteMultipartUpload");
  }
  if (days !== undefined && prefix !== "" && !prefix.endsWith("/")) {
    throw notDone("Expiration with a prefix that is no folder and so does not end with a slash");
  }
  return {
    id,
    prefix,
    isBare,
    isEnabled: status === "Enabled",
    ...(days === undefined ? {} : { days }),
    ...(abortDays === undefined ? {} : { abortDays }),
  };
}

function prefixOf(rule: XmlElement): { readonly prefix: string; readonly isBare: boolean } {
  const bare = childText(rule, "Prefix");
  const [filter, ...more] = childrenOf(rule, "Filter");
  if (more.length > 0 || (bare !== undefined && filter !== undefined)) {
    throw malformed("a rule has one Filter, or a Prefix");
  }
  if (bare !== undefined) return { prefix: bare, isBare: true };
  if (filter === undefined) throw malformed("a rule needs a Filter");
  const other = filter.children.find(({ name }) => name !== "Prefix");
  if (other !== undefined) throw notDone(`lifecycle rules with a filter by ${other.name}`);
  return { prefix: childText(filter, "Prefix") ?? "", isBare: false };
}

function expirationOf(rule: XmlElement): number | undefined {
  const [expiration] = childrenOf(rule, "Expiration");
  if (expiration === undefined) return undefined;
  const date = childText(expiration, "Date");
  if (date !== undefined) {
    const isDate = /^\d{4}-\d\d-\d\d(?:T|$)/.test(date) && !Number.isNaN(Date.parse(date));
    if (!isDate) throw malformed("Date must be in the format of ISO 8601");
    if (Date.parse(date) % MILLIS_OF_DAY !== 0) throw invalid("'Date' must be at midnight GMT.");
    throw notDone("lifecycle rules with a Date");
  }
  const other = expiration.children.find(({ name }) => name !== "Days");
  if (other !== undefined) throw notDone(`${other.name} in lifecycle rules`);
  return daysOf(expiration, "Days");
}

function abortOf(rule: XmlElement): number | undefined {
  const [abort] = childrenOf(rule, "AbortIncompleteMultipartUpload");
  return abort && daysOf(abort, "DaysAfterInitiation");
}

function daysOf(action: XmlElement, name: string): number {
  const text = childText(action, name)?.trim() ?? "";
  const days = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(days)) throw malformed(`${name} must be a whole number`);
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw invalid(
    `'${name}' for ${action.name} action must be a positive integer of at most ${MAX_DAYS}.`,
  );
}

/** The elements of a rule in the response to `GetBucketLifecycleConfiguration`. */
export const lifecycleElements = ({
  id,
  prefix,
  isBare,
  isEnabled,
  days,
  abortDays,
}: LifecycleRule) => ({
  ID: id,
  ...(isBare ? { Prefix: prefix } : { Filter: { Prefix: prefix } }),
  Status: isEnabled ? "Enabled" : "Disabled",
  Expiration: days === undefined ? undefined : { Days: days },
  AbortIncompleteMultipartUpload:
    abortDays === undefined ? undefined : { DaysAfterInitiation: abortDays },
});

const malformed = (why: string): S3Fault =>
  new S3Fault(
    "MalformedXML",
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}.`,
  );

const invalid = (message: string): S3Fault => new S3Fault("InvalidArgument", message);

const notDone = (what: string): S3Fault =>
  new S3Fault("NotImplemented", `The server does not support ${what}.`);
