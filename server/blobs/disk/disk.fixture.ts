import { blobId } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobWriter } from "../port.ts";
import { createDiskBlobs } from "./disk.ts";

/*
 * Runs in a process with a resource limit: fills the store in the given folder until a fault, discards
 * everything, stores a small blob and prints the outcome as JSON.
 */

const [folder = "", limited] = process.argv.slice(2);
const blobs = await createDiskBlobs(folder);
const block = 1;
const writers: BlobWriter[] = [];

async function exhaust(): Promise<void> {
  for (let n = 0; n < 200; n++) {
    const writer = await blobs.create(blobId(block, n));
    writers.push(writer);
    for (let i = 0; limited === "space" && i < 200; i++) await writer.write(new Uint8Array(65_000));
  }
}

const fault = await exhaust().then(
  () => "none",
  (error: unknown) => (error instanceof Fault ? error.kind : String(error)),
);
for (const writer of writers) await writer.discard();
const left = (await blobs.listBlock(block)).length;

const small = await blobs.create(blobId(block, 255));
await small.write(new Uint8Array(1000));
await small.seal();
const after = (await blobs.read(blobId(block, 255), 1000)) === undefined ? "lost" : "stored";

console.log(JSON.stringify({ fault, left, after }));
