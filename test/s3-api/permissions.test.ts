import { expect, test } from "bun:test";
import {
  type S3Permission,
  type S3Subject,
  s3Operations,
} from "../../server/http/s3/s3-operations.ts";

/*
 * What every operation of the S3 API needs, written out a second time: whoever changes a row of `s3Operations` says here
 * that it is meant. The tests of the scopes follow the rows, so they pass with a wrong one.
 */

/** `needs`: actions of API keys; "nothing": everybody who sees the bucket may call it. */
type Expected = readonly [needs: string, subject: S3Subject, audit?: string];

const ANYBODY = ["nothing", "bucket"] as const;
const SETTING = ["write", "bucket", "changeFolder"] as const;

const expected: Readonly<Record<string, Readonly<Record<string, Expected>>>> = {
  service: {
    GET: ["list", "nothing"],
  },
  bucket: {
    PUT: ["write", "nothing", "createFolder"],
    HEAD: ANYBODY,
    DELETE: ["delete", "bucket", "deleteFolder"],
    GET: ["list", "bucket"],
    "GET?versions": ["list", "bucket"],
    "GET?uploads": ["list", "bucket"],
    "POST?delete": ["discard", "bucket", "deleteFiles"],
    "GET?acl": ANYBODY,
    "PUT?acl": SETTING,
    "GET?cors": ANYBODY,
    "PUT?cors": SETTING,
    "DELETE?cors": SETTING,
    "GET?lifecycle": ANYBODY,
    "PUT?lifecycle": ["write and delete", "bucket", "changeFolder"],
    "DELETE?lifecycle": ["write and delete", "bucket", "changeFolder"],
    "GET?tagging": ANYBODY,
    "PUT?tagging": SETTING,
    "DELETE?tagging": SETTING,
    "GET?policy": ANYBODY,
    "GET?policyStatus": ANYBODY,
    "PUT?policy": SETTING,
    "DELETE?policy": SETTING,
    "GET?publicAccessBlock": ANYBODY,
    "PUT?publicAccessBlock": SETTING,
    "DELETE?publicAccessBlock": SETTING,
    "GET?ownershipControls": ANYBODY,
    "PUT?ownershipControls": SETTING,
    "DELETE?ownershipControls": SETTING,
    "GET?encryption": ANYBODY,
    "PUT?encryption": SETTING,
    "DELETE?encryption": SETTING,
    // Buckets have none of these, so nothing is read or changed.
    "GET?location": ANYBODY,
    "GET?versioning": ANYBODY,
    "PUT?versioning": ANYBODY,
    "GET?accelerate": ANYBODY,
    "PUT?accelerate": ANYBODY,
    "GET?logging": ANYBODY,
    "PUT?logging": ANYBODY,
    "GET?notification": ANYBODY,
    "PUT?notification": ANYBODY,
    "GET?requestPayment": ANYBODY,
    "PUT?requestPayment": ANYBODY,
    "GET?website": ANYBODY,
    "PUT?website": ANYBODY,
    "DELETE?website": ANYBODY,
    "GET?object-lock": ANYBODY,
    "PUT?object-lock": ANYBODY,
    "GET?replication": ANYBODY,
    "PUT?replication": ANYBODY,
    "DELETE?replication": ANYBODY,
    "GET?abac": ANYBODY,
    "GET?analytics": ANYBODY,
    "DELETE?analytics": ANYBODY,
    "GET?intelligent-tiering": ANYBODY,
    "DELETE?intelligent-tiering": ANYBODY,
    "GET?inventory": ANYBODY,
    "DELETE?inventory": ANYBODY,
    "GET?metrics": ANYBODY,
    "DELETE?metrics": ANYBODY,
  },
  object: {
    GET: ["read", "object"],
    HEAD: ["read", "object"],
    PUT: ["write", "bucket", "uploadFiles"],
    COPY: ["read and write", "source", "uploadFiles"],
    DELETE: ["discard", "bucket", "deleteFiles"],
    "POST?uploads": ["write", "bucket"],
    "PUT?uploadId": ["write", "upload"],
    "COPY?uploadId": ["read and write", "upload and source"],
    "POST?uploadId": ["write", "upload", "uploadFiles"],
    "DELETE?uploadId": ["write", "upload"],
    "GET?uploadId": ["list, or write", "upload"],
    "GET?attributes": ["read", "object"],
    "GET?acl": ["read", "object"],
    "PUT?acl": ["read and write", "object", "changeFile"],
    "GET?tagging": ["read", "object"],
    "PUT?tagging": ["write", "object", "changeFile"],
    "DELETE?tagging": ["write", "object", "changeFile"],
    // Objects have no locks, so nothing is changed.
    "GET?retention": ["read", "object"],
    "PUT?retention": ["read", "object"],
    "GET?legal-hold": ["read", "object"],
    "PUT?legal-hold": ["read", "object"],
  },
  form: {
    POST: ["write", "bucket", "uploadFiles"],
  },
};

interface Row {
  readonly permission: S3Permission;
  readonly audit?: string;
}

function describeRow({ permission: { actions, or, subject }, audit }: Row): Expected {
  const all = actions.length === 0 ? "nothing" : actions.join(" and ");
  const needs = or === undefined ? all : `${all}, or ${or}`;
  return audit === undefined ? [needs, subject] : [needs, subject, audit];
}

test.each(Object.entries<Readonly<Record<string, Row>>>(s3Operations))(
  "every operation on %s needs these actions, and has this entry in the audit log",
  (kind, table) => {
    const rows = Object.entries(table).map(([name, row]) => [name, describeRow(row)]);
    expect(Object.fromEntries(rows)).toEqual({ ...expected[kind] });
  },
);
