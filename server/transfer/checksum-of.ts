import { crc32 } from "node:zlib";
import { readFileAt } from "./read-file-at.ts";

/** CRC-32 of a file's content, unsigned. Throws system errors; does not follow a link. */
export async function checksumOf(path: string): Promise<number> {
  let sum = 0;
  for await (const chunk of readFileAt(path)) sum = crc32(chunk, sum);
  return sum;
}
