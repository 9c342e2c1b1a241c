import { blobId } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { createDiskBlobs } from "./disk.ts";

/*
 * Runs in a process with a resource limit: grows a blob with checkpoints until a fault, continues it from
 * the last checkpoint, and prints the outcome as JSON.
 */

const [folder = ""] = process.argv.slice(2);
const blobs = await createDiskBlobs(folder);
const id = blobId(1, 0);
const chunk = new Uint8Array(60_000).fill(7);

async function growUntilFault(): Promise<{ offset: number; fault: string }> {
  const blob = await blobs.grow(id, { offset: 0, growth: null });
  let offset = 0;
  try {
    for (let n = 0; n < 200; n++) {
      await blob.write(chunk);
      offset = (await blob.checkpoint()).stored;
    }
    return { offset, fault: "none" };
  } catch (error) {
    return { offset, fault: error instanceof Fault ? error.kind : String(error) };
  } finally {
    await blob.close();
  }
}

const { offset, fault } = await growUntilFault();
const blob = await blobs.grow(id, { offset, growth: null });
await blob.seal();
const body = await blobs.read(id, offset);
const bytes = body === undefined ? [] : new Uint8Array(await new Response(body).arrayBuffer());
const isWhole = bytes.length === offset && bytes.every((byte) => byte === 7);
await blobs.remove([id]);

const again = await blobs.grow(id, { offset: 0, growth: null });
await again.write(chunk);
await again.seal();
const after = (await blobs.read(id, chunk.byteLength)) === undefined ? "lost" : "stored";

console.log(JSON.stringify({ fault, grew: offset > 0, isWhole, after }));
