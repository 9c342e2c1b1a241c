import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { type Contender, send } from "./contender.ts";

const PART_BYTES = 16 * 1024 ** 2;
const AT_ONCE = 4;
const PART = new Blob([new Uint8Array(PART_BYTES).map((_, index) => (index * 31) ^ (index >> 8))]);

/** Uploads an object in parts, several at once. `size` must be a multiple of the part size. */
export async function sendParts(contender: Contender, path: string, size: number): Promise<void> {
  const created = await (await send(contender, "POST", `${path}?uploads`)).text();
  const id = /<UploadId>(.*?)<\/UploadId>/.exec(created)?.[1];
  if (id === undefined) throw new Error(`${contender.name} returned no upload id: ${created}`);
  const uploadId = encodeURIComponent(id);
  const tags: string[] = [];
  const numbers = Array.from({ length: size / PART_BYTES }, (_, index) => index + 1);
  await forEachConcurrently(numbers, AT_ONCE, async (number) => {
    const query = `partNumber=${number}&uploadId=${uploadId}`;
    const response = await send(contender, "PUT", `${path}?${query}`, PART);
    tags[number] = response.headers.get("ETag") ?? "";
  });
  const parts = numbers.map(
    (number) => `<Part><PartNumber>${number}</PartNumber><ETag>${tags[number]}</ETag></Part>`,
  );
  const list = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const answer = await send(contender, "POST", `${path}?uploadId=${uploadId}`, list);
  const text = await answer.text();
  if (text.includes("<Error>")) throw new Error(`${contender.name}: ${text}`);
}
