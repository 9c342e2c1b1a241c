import type { Identity } from "../../access/authenticate.ts";
import { callerOf } from "../../access/caller-of.ts";
import type { S3Identity } from "../../access/s3/s3-access.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { tryParseName } from "../../domain/names/name.ts";
import type { Name } from "../../domain/records.ts";
import { UNSIGNED_BODY } from "../../semantics/s3-signature/body-format.ts";
import type { RequestHead } from "../../semantics/s3-signature/request-head.ts";
import { SUBRESOURCES } from "../../semantics/s3-signature/subresources.ts";
import { isPostForm, isSigned } from "../../semantics/s3-signature/verify-signature.ts";
import type { Server } from "../connection/route.ts";
import { AUTHENTICATED_FOR_MS } from "../connection/still-authenticated.ts";
import { type Content, readContent } from "./body/read-content.ts";
import { receivedBody } from "./body/received-body.ts";
import { createCallOperation } from "./call-operation.ts";
import { createHandlers } from "./create-handlers.ts";
import { bucketFinders, objectFinders, serviceFinders } from "./find-subject.ts";
import {
  type FoundOperation,
  findOperation,
  type OperationTable,
  operationName,
} from "./operations.ts";
import { checkExpectedOwner } from "./owner.ts";
import { openPostForm, postObject } from "./post-object.ts";
import { createReadPublicObject } from "./read-public-object.ts";
import type { S3Deps } from "./s3-deps.ts";
import { type BucketInput, requireBucket, type S3Input } from "./s3-input.ts";
import { type S3Subject, s3Operations } from "./s3-operations.ts";
import { readS3Query } from "./s3-query.ts";
import { isRead, readTarget, type S3Target } from "./s3-target.ts";

export interface Incoming {
  readonly request: Request;
  readonly server: Server;
  readonly requestId: string;
  readonly head: RequestHead;
}

/**
 * Authenticates a request and runs its operation. Adds it to `deliveries` if it reads an object. S3Faults and Faults:
 * what the response says.
 */
export function createRunS3(
  deps: S3Deps,
  deliveries: WeakSet<Request>,
): (incoming: Incoming) => Promise<Response> {
  const { access, gate, objects, files, publicUrl } = deps;
  const handlers = createHandlers({
    send: deps.send,
    onSend: deps.onSend,
    now: deps.now,
    readBytes: files.read,
    files,
    acceptsEncryption: deps.acceptsEncryption,
  });
  const tables = {
    service: { rows: s3Operations.service, handlers: handlers.service, finders: serviceFinders },
    bucket: { rows: s3Operations.bucket, handlers: handlers.bucket, finders: bucketFinders },
    object: { rows: s3Operations.object, handlers: handlers.object, finders: objectFinders },
  };
  const call = createCallOperation(deps);
  const readPublicObject = createReadPublicObject(deps);

  function inputFor(
    { request, requestId, head }: Incoming,
    identity: Identity,
    { headers, content }: Pick<S3Input, "headers" | "content">,
  ): S3Input {
    gate.note(request, identity);
    return {
      request,
      headers,
      requestId,
      caller: callerOf(identity),
      content,
      query: readS3Query(head.query),
      objects,
      origin: publicUrl ?? `http://${head.headers.get("host") ?? "localhost"}`,
    };
  }

  /** Faults of `findOperation`. */
  function find<Input, Subject extends S3Subject>(
    kind: keyof typeof tables,
    table: OperationTable<Input, Subject>,
    input: S3Input,
  ): FoundOperation<Input> {
    const { request } = input;
    const operation = findOperation(table, request.method, input);
    deps.noteOperation(request, `s3.${kind}.${operationName(request.method, input)}`);
    return operation;
  }

  async function runForm(incoming: Incoming, target: S3Target): Promise<Response> {
    const { request, head } = incoming;
    const bucket = nameOf(target.bucket ?? "");
    const close = deps.gate.openBody(request, incoming.server);
    deps.noteOperation(request, "s3.object.POST");
    const form = await openPostForm(request, head, bucket, access).finally(close);
    await deps.freshSettings();
    const { headers } = request;
    const { identity } = form.identity;
    const content = () => whileValid(readContent(form.file.body, headers, UNSIGNED_BODY), identity);
    const input = inputFor(incoming, identity, { headers, content });
    const name = `${bucket}/${form.fields.get("key") ?? ""}`;
    const operation = {
      row: s3Operations.form.POST,
      handle: (authorized: BucketInput<Authorized<"write">>) =>
        postObject(authorized, form, deps.acceptsEncryption),
      find: requireBucket,
    };
    const subject = { kind: "file", id: null, name } as const;
    // Also when the caller may not write.
    return call(operation, { ...input, bucket }, { server: incoming.server, subject }).finally(() =>
      form.rest.return(),
    );
  }

  /** The content, whose iteration only ends if the key of the caller was not revoked meanwhile. */
  function whileValid(content: Content, identity: S3Identity["identity"]): Content {
    const authenticatedAt = performance.now();
    async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
      yield* content.chunks;
      if (performance.now() - authenticatedAt < AUTHENTICATED_FOR_MS) return;
      await access.requireStillValid(identity);
    }
    return { ...content, chunks: chunks() };
  }

  return async (incoming) => {
    const { request, server, head } = incoming;
    const target = readTarget(head.path, request.headers.get("host"), deps.domain);
    if (!isSigned(request) && isPostForm(request)) return runForm(incoming, target);
    // Also if it is refused before its operation is known.
    if (target.key !== undefined && isRead(request.method) && !namesSubresource(head.query)) {
      deliveries.add(request);
    }
    const verified = await gate.inTurn(request, server, () => access.authenticate(head));
    await deps.freshSettings();
    if (verified === undefined) {
      return readPublicObject(request, server, target, readS3Query(head.query));
    }
    const { headers, identity } = verified;
    checkExpectedOwner(headers);
    const body = receivedBody(request);
    const input = inputFor(incoming, identity, {
      headers,
      content: (options) =>
        whileValid(readContent(body, headers, verified.body, options), identity),
    });
    const { bucket, key } = target;
    if (bucket === undefined) {
      const operation = find("service", tables.service, input);
      const run = () => call(operation, input, { server, subject: null });
      return gate.inTurn(request, server, run);
    }
    if (key === undefined) {
      const operation = find("bucket", tables.bucket, input);
      const subject = { kind: "folder", id: null, name: bucket } as const;
      const run = () => call(operation, { ...input, bucket: nameOf(bucket) }, { server, subject });
      // Lists: other requests may read a body, or wait for others.
      return request.method === "GET" ? gate.inTurn(request, server, run) : run();
    }
    const operation = find("object", tables.object, input);
    if (operation.row.isDelivery !== true) deliveries.delete(request);
    const subject = { kind: "file", id: null, name: `${bucket}/${key}` } as const;
    return call(
      operation,
      { ...input, bucket: nameOf(bucket), objectKey: key },
      { server, subject },
    );
  };
}

/** Whether the request is for something else of the object than its content, such as its ACL. */
function namesSubresource(query: string): boolean {
  if (query === "") return false;
  const parameters = new URLSearchParams(query);
  return SUBRESOURCES.some((name) => parameters.has(name));
}

/** S3Fault "InvalidBucketName": not even a folder can have this name. */
function nameOf(bucket: string): Name {
  const name = tryParseName(bucket);
  if (name !== undefined) return name;
  throw new S3Fault("InvalidBucketName", "This is not the name of a bucket.", {
    fields: { BucketName: bucket.slice(0, 255).toWellFormed() },
  });
}
