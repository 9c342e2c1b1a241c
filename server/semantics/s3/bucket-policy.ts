import { S3Fault } from "../../domain/faults/s3-fault.ts";

/** What a policy of a bucket lets everyone do. */
export interface PublicAccess {
  /** The path in the bucket of the folder whose objects may be read; "": all; undefined: none. */
  readonly reads: string | undefined;
  readonly lists: boolean;
  readonly locates: boolean;
}

const MAX_BYTES = 20 * 1024;
const MAX_STATEMENTS = 20;
const ARN = "arn:aws:s3:::";
const VERSIONS: readonly unknown[] = [undefined, "2012-10-17", "2008-10-17"];
const NOT_HERE = ["Condition", "NotPrincipal", "NotAction", "NotResource"];
const KNOWN = ["Sid", "Effect", "Principal", "Action", "Resource"];

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a policy document means for the bucket. S3Faults "MalformedPolicy"; "NotImplemented": it means more
 * than that everyone may read, which API keys are for.
 */
export function parseBucketPolicy(
  text: string,
  bucket: string,
): PublicAccess & { readonly document: string } {
  const policy = parseJson(text);
  const { Version, Id, Statement, ...others } = policy;
  if (!VERSIONS.includes(Version)) throw malformed("the Version is unknown");
  if (Id !== undefined && typeof Id !== "string") throw malformed("the Id must be a text");
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw malformed(`the field ${unknown.slice(0, 64)} is unknown`);
  const statements: readonly unknown[] = Array.isArray(Statement) ? Statement : [Statement];
  if (statements.length === 0 || statements.length > MAX_STATEMENTS) {
    throw malformed(`it must have 1 to ${MAX_STATEMENTS} statements`);
  }
  const parsed = statements.map((statement) => parseStatement(statement, bucket));
  const folders = new Set(parsed.flatMap(({ reads }) => reads));
  if (!folders.has("") && folders.size > 1) {
    throw unsupported("A policy can open the whole bucket or one folder, not several.");
  }
  return {
    // Written anew, so that it says what was read, also if a field was given twice.
    document: JSON.stringify(policy),
    reads: folders.has("") ? "" : [...folders][0],
    lists: parsed.some(({ lists }) => lists),
    locates: parsed.some(({ locates }) => locates),
  };
}

function parseJson(text: string): Fields {
  if (Buffer.byteLength(text) > MAX_BYTES) throw malformed(`it is longer than ${MAX_BYTES} bytes`);
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw malformed("it is not JSON");
  }
  return fieldsOf(policy);
}

function fieldsOf(value: unknown): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw malformed("the policy and its statements must be objects");
}

function parseStatement(value: unknown, bucket: string) {
  const statement = fieldsOf(value);
  for (const name of Object.keys(statement)) {
    if (NOT_HERE.includes(name)) throw unsupported(`Policies with ${name} are not supported.`);
    if (!KNOWN.includes(name)) throw malformed(`the field ${name.slice(0, 64)} is unknown`);
  }
  const { Sid, Effect, Principal, Action, Resource } = statement;
  if (Sid !== undefined && typeof Sid !== "string") throw malformed("the Sid must be a text");
  if (Effect === "Deny") throw unsupported("Policies that deny are not supported.");
  if (Effect !== "Allow") throw malformed("the Effect must be Allow");
  checkPrincipal(Principal);
  const actions = new Set(textsOf("Action", Action).map(parseAction));
  const resources = textsOf("Resource", Resource).map((arn) => parseResource(arn, bucket));
  const folders = resources.filter((folder) => folder !== undefined);
  const lists = actions.has("s3:listbucket");
  const locates = actions.has("s3:getbucketlocation");
  const isBucket = resources.includes(undefined);
  const isObject = actions.has("s3:getobject");
  if ((isObject && folders.length === 0) || ((lists || locates) && !isBucket)) {
    throw malformed("an Action does not apply to any Resource of its statement");
  }
  return { reads: isObject ? folders : [], lists, locates };
}

/** `"*"`, or `{"AWS": "*"}`. */
function checkPrincipal(principal: unknown): void {
  if (principal === "*") return;
  const { AWS, ...others } = fieldsOf(principal);
  const names: readonly unknown[] = Array.isArray(AWS) ? AWS : [AWS];
  if (Object.keys(others).length === 0 && names.length === 1 && names[0] === "*") return;
  throw unsupported(
    "The Principal of a policy can only be everyone. An API key with a folder and actions takes the place of a user with a policy.",
  );
}

const ACTIONS = ["s3:getobject", "s3:listbucket", "s3:getbucketlocation"];

function parseAction(action: string): string {
  const name = action.toLowerCase();
  if (ACTIONS.includes(name)) return name;
  throw unsupported(
    `Policies can allow s3:GetObject, s3:ListBucket and s3:GetBucketLocation, not ${action.slice(0, 64)}: strangers can only read.`,
  );
}

/** undefined: the bucket itself. Otherwise the path of a folder, of which all objects are meant. */
function parseResource(arn: string, bucket: string): string | undefined {
  const name = arn.startsWith(ARN) ? arn.slice(ARN.length) : "";
  if (name === bucket) return undefined;
  const path = name.slice(bucket.length + 1);
  if (!name.startsWith(`${bucket}/`)) {
    throw malformed(`the Resource must be ${ARN}${bucket}, or begin with ${ARN}${bucket}/`);
  }
  const folder = path === "*" ? "" : path.slice(0, -2);
  if ((path !== "*" && !/[^/]\/\*$/.test(path)) || /[*?$]/.test(folder)) {
    throw unsupported(
      `A policy can open all objects of a bucket or of a folder: ${ARN}${bucket}/* or ${ARN}${bucket}/FOLDER/*.`,
    );
  }
  return folder;
}

function textsOf(name: string, value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.filter((each) => typeof each === "string");
  if (texts.length > 0 && texts.length === all.length) return texts;
  throw malformed(`${name} must be a text or a list of texts`);
}

const malformed = (why: string): S3Fault =>
  new S3Fault("MalformedPolicy", `The policy is not valid: ${why}.`);

const unsupported = (message: string): S3Fault => new S3Fault("NotImplemented", message);
