import { crc32 } from "node:zlib";
import { readFileAt } from "./read-file-at.ts";

/** CRC-32 of what is in the file, unsigned. Throws the system's error; a link is not followed. */
export async function checksumOf(path: string): Promise<number> {
  let sum = 0;
  for await (const chunk of readFileAt(path)) sum = crc32(chunk, sum);
  return sum;
}
