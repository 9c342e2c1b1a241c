import { S3Error } from "./s3-error.ts";
import { textOf } from "./xml.ts";

/** Resolves with the ETag of the copy. S3 may respond 200 and then report an error in the body. */
export async function etagOfCopy(response: Promise<{ readonly text: string }>): Promise<string> {
  const { text } = await response;
  const tag = textOf(text, "ETag");
  if (tag === "") throw new S3Error(500, textOf(text, "Code"), `Copying: ${textOf(text, "Code")}`);
  return tag;
}
