import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { childrenOf, childText, type XmlElement } from "../../runtime/xml.ts";
import { TEXT } from "./xml/document-shape.ts";

/** A rule of a bucket: which web pages of other origins may send which requests. */
export interface CorsRule {
  readonly id?: string;
  /** Each has at most one `*`, which stands for any text. */
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  /** Same as `origins`; names of headers, in lower case. */
  readonly headers: readonly string[];
  /** What scripts may read of a response. */
  readonly exposed: readonly string[];
  readonly maxAge?: number;
}

/** The elements of a `CORSConfiguration`. */
export const CORS = {
  CORSRule: [
    {
      ID: TEXT,
      AllowedOrigin: [TEXT],
      AllowedMethod: [TEXT],
      AllowedHeader: [TEXT],
      ExposeHeader: [TEXT],
      MaxAgeSeconds: TEXT,
    },
  ],
} as const;

const MAX_RULES = 100;
/** The most characters of all rules, as in S3: each request of a web page reads and tries them. */
const MAX_RULES_TEXT = 64 * 1024;
/** Names of headers that a web page may ask for. Nobody needs more, and each is tried with every rule. */
const MAX_ASKED_HEADERS = 100;
const MAX_TEXT = 1024;
const METHODS: readonly string[] = ["GET", "PUT", "HEAD", "POST", "DELETE"];

/** The rules of a `CORSConfiguration`. S3Faults "MalformedXML", "InvalidRequest" say what is wrong. */
export function parseCorsRules(document: XmlElement): CorsRule[] {
  const rules = childrenOf(document, "CORSRule").map(parseRule);
  if (rules.length < 1 || rules.length > MAX_RULES) {
    throw malformed(`it must have 1 to ${MAX_RULES} rules`);
  }
  if (JSON.stringify(rules).length <= MAX_RULES_TEXT) return rules;
  throw malformed(`its rules must have at most ${MAX_RULES_TEXT} characters`);
}

function parseRule(rule: XmlElement): CorsRule {
  const texts = (name: string): string[] =>
    childrenOf(rule, name).map(({ text }) => {
      const value = text.trim();
      if (value !== "" && value.length <= MAX_TEXT && /^[\x21-\x7e]+$/.test(value)) return value;
      throw malformed(`${name} must be printable ASCII without spaces`);
    });
  const origins = texts("AllowedOrigin");
  const methods = texts("AllowedMethod");
  const headers = texts("AllowedHeader");
  const exposed = texts("ExposeHeader");
  if (origins.length === 0 || methods.length === 0) {
    throw malformed("a rule needs an AllowedOrigin and an AllowedMethod");
  }
  for (const method of methods) {
    if (METHODS.includes(method)) continue;
    throw invalid(
      `Found unsupported HTTP method in CORS config. Unsupported method is ${method.slice(0, 32)}`,
    );
  }
  for (const pattern of [...origins, ...headers]) {
    if (pattern.split("*").length <= 2) continue;
    throw invalid(`${pattern.slice(0, 64)} can not have more than one wildcard.`);
  }
  for (const name of exposed) {
    if (TOKEN.test(name) && name !== "*") continue;
    throw invalid(`ExposeHeader "${name.slice(0, 64)}" must be the name of a header.`);
  }
  const maxAge = childText(rule, "MaxAgeSeconds")?.trim();
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    throw malformed("MaxAgeSeconds must be a whole number of seconds");
  }
  const id = childText(rule, "ID");
  if ((id ?? "").length > 255) throw invalid("An ID of a rule has at most 255 characters.");
  return {
    ...(id === undefined || id === "" ? {} : { id }),
    origins,
    methods,
    headers: headers.map((name) => name.toLowerCase()),
    exposed,
    ...(maxAge === undefined ? {} : { maxAge: Number(maxAge) }),
  };
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What a web page asks for. */
export interface CorsRequest {
  readonly origin: string;
  readonly method: string;
  /** In lower case. */
  readonly headers: readonly string[];
}

/** The first rule that allows a request; undefined: none does. */
export const findCorsRule = (
  rules: readonly CorsRule[],
  { origin, method, headers }: CorsRequest,
): CorsRule | undefined =>
  rules.find(
    (rule) =>
      headers.length <= MAX_ASKED_HEADERS &&
      rule.origins.some((pattern) => matches(pattern, origin)) &&
      rule.methods.includes(method) &&
      headers.every((name) => rule.headers.some((pattern) => matches(pattern, name))),
  );

function matches(pattern: string, text: string): boolean {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text;
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

/** The elements of a rule in the response to `GetBucketCors`. */
export const corsRuleElements = ({ id, origins, methods, headers, exposed, maxAge }: CorsRule) => ({
  ID: id,
  AllowedOrigin: origins,
  AllowedMethod: methods,
  AllowedHeader: headers,
  ExposeHeader: exposed,
  MaxAgeSeconds: maxAge,
});

const malformed = (why: string): S3Fault =>
  new S3Fault(
    "MalformedXML",
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}.`,
  );

const invalid = (message: string): S3Fault => new S3Fault("InvalidRequest", message);
