import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import type { FreezeEvent } from "../../lib/circuit-breaker.ts";
import type { Catalog } from "../port/catalog.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { type PostgresServer, startPostgresServer } from "./server.fixture.ts";

export interface FrozenServerFixture {
  readonly server: PostgresServer;
  /** The URL of the current test's database. */
  readonly url: string;
  readonly catalog: Catalog;
  /** What the catalog has reported in the current test. */
  readonly events: readonly FreezeEvent["event"][];
}

/** A server of its own that tests may freeze, and a catalog in a new database for each test. */
export function useFreezableServer(): () => FrozenServerFixture {
  let server: PostgresServer;
  let fixture: FrozenServerFixture;

  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    const events: FreezeEvent["event"][] = [];
    const url = await server.fresh();
    const onFreeze = ({ event }: FreezeEvent): void => void events.push(event);
    fixture = { server, url, catalog: await openPostgresCatalog({ url, onFreeze }), events };
  });
  afterEach(() => fixture.catalog.close());
  return () => fixture;
}

export async function untilReady(catalog: Catalog): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const isReady = await catalog.ping().then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await Bun.sleep(50);
  }
  throw new Error("The catalog does not work again.");
}
