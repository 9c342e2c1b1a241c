import { expect, test } from "bun:test";
import { Fault, type FaultKind } from "../../domain/faults/fault.ts";
import { failure, methodNotAllowed, success, unexpectedError } from "./reply.ts";

const STATUS: Record<FaultKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unprocessable: 422,
  locked: 423,
  rate_limited: 429,
  checksum_mismatch: 460,
  unavailable: 503,
  no_space: 507,
  quota_exceeded: 507,
};

function expectJsonHeaders({ headers }: Response): void {
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
}

test("success is 200 with data and no error", async () => {
  const response = await success({ file: { id: "a", parentId: null } }, { "X-More": "1" });
  expect(response.status).toBe(200);
  expectJsonHeaders(response);
  expect(response.headers.get("x-more")).toBe("1");
  expect(await response.json()).toEqual({
    data: { file: { id: "a", parentId: null } },
    error: null,
  });
});

test("success reads lists in batches", async () => {
  async function* files() {
    yield [1];
    yield [2, 3];
  }
  const response = await success({ files: files(), more: true });
  expectJsonHeaders(response);
  expect(await response.json()).toEqual({ data: { files: [1, 2, 3], more: true }, error: null });
});

test("success rejects when a list cannot be read", async () => {
  const fault = new Fault("unavailable", "The catalog is busy.");
  const files = (async function* () {
    yield [1];
    throw fault;
  })();
  expect(await success({ files }).catch((error: unknown) => error)).toBe(fault);
});

test.each(Object.entries(STATUS) as [FaultKind, number][])(
  "the fault %s is status %i with its message",
  async (kind, status) => {
    const response = failure(new Fault(kind, `Why: "${kind}".`));
    expect(response.status).toBe(status);
    expectJsonHeaders(response);
    expect(response.headers.has("retry-after")).toBe(false);
    const code = kind === "invalid" ? "invalid_request" : kind;
    expect(await response.text()).toBe(
      `{"data":null,"error":{"code":"${code}","message":"Why: \\"${kind}\\"."}}`,
    );
  },
);

test("a failure has Retry-After and the headers of its path", async () => {
  const fault = new Fault("rate_limited", "Slow down.", { retryAfter: 7 });
  const response = failure(fault, { "Cache-Control": "private, no-store", "X-More": "1" });
  expect(response.headers.get("retry-after")).toBe("7");
  expect(await response.json()).toMatchObject({ error: { details: { retryAfter: 7 } } });
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  expect(response.headers.get("x-more")).toBe("1");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test("Retry-After may be 0", () => {
  const fault = new Fault("unavailable", "Again.", { retryAfter: 0 });
  expect(failure(fault).headers.get("retry-after")).toBe("0");
});

test("a failure does not reveal its cause", async () => {
  const fault = new Fault("no_space", "The volume is full.", { cause: new Error("secret path") });
  expect(await failure(fault).text()).not.toContain("secret");
});

test.each([
  [["GET"], "GET, HEAD"],
  [["PUT", "GET", "POST", "DELETE"], "DELETE, GET, HEAD, POST, PUT"],
  [["POST"], "POST"],
])("405 for a path with %j allows %s", async (methods, allowed) => {
  const response = methodNotAllowed(methods, { "X-More": "1" });
  expect(response.status).toBe(405);
  expectJsonHeaders(response);
  expect(response.headers.get("allow")).toBe(allowed);
  expect(response.headers.get("x-more")).toBe("1");
  expect(await response.json()).toEqual({
    data: null,
    error: {
      code: "method_not_allowed",
      message: `Method not allowed: this path supports ${allowed}.`,
    },
  });
});

test("an unexpected error is 500 without details", async () => {
  const response = unexpectedError({ "X-More": "1" });
  expect(response.status).toBe(500);
  expectJsonHeaders(response);
  expect(response.headers.get("x-more")).toBe("1");
  expect(await response.text()).toBe(
    '{"data":null,"error":{"code":"unexpected","message":"Unexpected server error"}}',
  );
});
