import { failuresOf } from "../contract/failures.ts";
import type { Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { isErrorCode } from "../contract/text/error-codes.ts";
import type { HttpResponse } from "./http-response.ts";

const all = Object.values<Operation>(operations);

/** The operation of a request; undefined: the path or the method is of none. */
function operationOf(method: string, path: string): Operation | undefined {
  const [bare = ""] = path.split("?");
  const wanted = method === "HEAD" ? "GET" : method;
  return all.find((each) => {
    const pattern = each.path.replace(/\{\w+\*\}/, ".+").replace(/\{\w+\}/g, "[^/]+");
    return each.method === wanted && new RegExp(`^${pattern}$`).test(bare);
  });
}

/** Throws if a failure of the API has no code, or one that the contract does not declare for its operation. */
export function expectDeclared(method: string, asked: string, response: HttpResponse): void {
  // Without the dots that `fetch` resolves.
  const path = URL.parse(asked, "http://localhost")?.pathname ?? asked;
  const { status, text } = response;
  if (status < 400 || text === "" || !/^\/(?:api|auth)(?:\/|$)/.test(path)) return;
  if (response.header("content-type")?.startsWith("application/json") !== true) return;
  const code: unknown = JSON.parse(text)?.error?.code;
  const told = `${method} ${path} responded ${status} ${text}`;
  if (typeof code !== "string" || !isErrorCode(code)) throw new Error(`${told}: no known code`);
  if (!response.header("x-request-id")) throw new Error(`${told} without X-Request-Id`);
  const operation = operationOf(method, path);
  if (operation === undefined) return;
  const declared = failuresOf(operation).find((failure) => failure.status === status)?.codes ?? [];
  if (!declared.includes(code)) {
    throw new Error(
      `${told}, but ${operation.id} declares ${declared.join(", ") || "no such status"}`,
    );
  }
}
