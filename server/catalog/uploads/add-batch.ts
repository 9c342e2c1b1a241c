import { Fault } from "../../domain/faults/fault.ts";
import type { Tx } from "../engine/tx.ts";
import type { BatchLimits, NewBatch } from "../port/batches.ts";
import { admitVisitor } from "./admit-visitor.ts";
import { capabilityColumns } from "./capability-columns.ts";
import { countOpenBatches } from "./count-open-uploads.ts";
import { lockMaker } from "./lock-maker.ts";

export async function addBatch(tx: Tx, batch: NewBatch, limits: BatchLimits): Promise<void> {
  const { maxOpen, visitor } = limits;
  await lockMaker(tx, batch.maker);
  if (visitor === undefined) await rejectBeyondOpen(tx, batch, maxOpen);
  else await admitVisitor(tx, batch.maker, { maxOpen, visitor });
  await tx.db
    .insertInto("batches")
    .values({
      ...capabilityColumns(batch),
      state: "open",
      files: 0,
      bytes: 0,
      added: null,
      replaced: null,
      skipped: null,
      committed_at: null,
      client: visitor?.client ?? null,
      used: 0,
    })
    .execute();
}

async function rejectBeyondOpen(tx: Tx, { maker }: NewBatch, maxOpen: number): Promise<void> {
  const count = await countOpenBatches(tx.db, maker);
  if (count < maxOpen) return;
  throw new Fault(
    "rate_limited",
    `There are ${count} open batches already, and at most ${maxOpen} are allowed. Commit or drop some of them first.`,
    { retryAfter: 60 },
  );
}
