import type { Operation } from "../../../contract/operation.ts";
import { Fault } from "../../domain/fault.ts";
import { TUS_VERSION } from "./upload-headers.ts";

/**
 * Fault "precondition_failed": the client speaks another version of tus. Clients of the IETF draft, and
 * all others, leave the header out.
 */
export function checkTusVersion({ method, headers }: Request): void {
  const version = headers.get("tus-resumable");
  if (version === null || version === TUS_VERSION || method === "OPTIONS") return;
  throw new Fault(
    "precondition_failed",
    `This server speaks version ${TUS_VERSION} of tus: send \`Tus-Resumable: ${TUS_VERSION}\`.`,
  );
}

/** The method that a client of tus means if it cannot send it. */
export function tusMethod(
  { method, headers }: Request,
  methods: Readonly<Record<string, Operation>>,
): string {
  const meant = headers.get("x-http-method-override")?.toUpperCase() ?? method;
  return method === "POST" && methods[meant]?.tus === true ? meant : method;
}
