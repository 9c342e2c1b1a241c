import type { LinkLedger } from "../catalog/port/links.ts";
import {
  type AddTo,
  type Buffered,
  type CounterBuffer,
  type CounterBufferDeps,
  createCounterBuffer,
  createTally,
} from "../lib/counter-buffer.ts";

/** Counts visits that nothing depends on. */
export interface VisitBuffer extends Buffered, Pick<CounterBuffer<unknown>, "flushAll"> {
  count(linkId: string): void;
}

export interface VisitBufferDeps extends CounterBufferDeps {
  readonly catalog: Pick<LinkLedger, "addVisits">;
}

interface Visits {
  readonly count: number;
}

const ONE_VISIT: Visits = { count: 1 };

const addTo: AddTo<Visits> = (sum, { count }) => {
  sum.count += count;
};

export function createVisitBuffer(deps: VisitBufferDeps): VisitBuffer {
  const { add, ...buffer } = createCounterBuffer<Visits>(
    {
      name: "visits of links",
      newTally: () => createTally(addTo),
      write: (visits) =>
        deps.catalog.addVisits(visits.map(({ subject, count }) => ({ id: subject, count }))),
    },
    deps,
  );
  return { ...buffer, count: (linkId) => add(linkId, ONE_VISIT) };
}
