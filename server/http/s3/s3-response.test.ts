import { expect, test } from "bun:test";
import { checkMaxUploadSize } from "../../domain/max-upload-size.ts";
import { errorResponse, s3FaultFrom } from "./s3-response.ts";

test("a file above the largest upload is EntityTooLarge, with the largest size", async () => {
  const fault = faultOf(() => checkMaxUploadSize(11, 10));
  const response = errorResponse(fault, { requestId: "1", resource: "/bucket/a", isHead: false });
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(text).toContain("<Code>EntityTooLarge</Code>");
  expect(text).toContain("<MaxSizeAllowed>10</MaxSizeAllowed>");
});

function faultOf(work: () => void) {
  try {
    work();
  } catch (error) {
    const fault = s3FaultFrom(error);
    if (fault !== undefined) return fault;
  }
  throw new Error("Nothing was refused.");
}
