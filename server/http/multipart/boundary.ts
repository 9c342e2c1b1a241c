import { Fault } from "../../domain/fault.ts";
import { parseParameters } from "./parameters.ts";

/** RFC 2046, section 5.1.1: 1 to 70 of these characters, without a space at the end. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/** The boundary of a form. Fault "invalid": not `multipart/form-data` with a valid boundary. */
export function boundaryOf(contentType: string | null): string {
  const { value, parameters } = parseParameters("Content-Type", contentType?.trim() || "none");
  if (value !== "multipart/form-data") {
    throw new Fault(
      "invalid",
      "The body must be a form: send it with `Content-Type: multipart/form-data; boundary=…`.",
    );
  }
  const boundary = parameters.get("boundary");
  if (boundary === undefined) {
    throw new Fault(
      "invalid",
      "The Content-Type has no boundary. Let your HTTP client set this header itself.",
    );
  }
  const text = boundary.quoted ? boundary.raw.replace(/\\(.)/g, "$1") : boundary.raw;
  if (!BOUNDARY.test(text)) {
    throw new Fault(
      "invalid",
      "The boundary in the Content-Type must be 1 to 70 of the characters that RFC 2046 allows.",
    );
  }
  return text;
}
