import { compareCpu } from "../compare-cpu.ts";
import type { Figure } from "../figure.ts";
import type { RunLength } from "../run-length.ts";
import { startHoldall } from "./holdall.ts";
import { installPeers } from "./install-peers.ts";
import { createFiles, KB, MB } from "./public-files.ts";
import type { StorageServer } from "./storage-server.ts";
import { startSupabaseStorage } from "./supabase-storage.ts";
import { SWIFT_PACKAGES, startSwift } from "./swift.ts";

const CONNECTIONS = 32;
const READ_BAR = 0.2;
const UPLOAD_BAR = 0.5;
/** More than any of the servers takes in a second. */
const UPLOADS_PER_SECOND = 5000;

const SKIPPED =
  "Supabase Storage is skipped: set SUPABASE_STORAGE to the folder of a built copy (bench/README.md).";

/** Public reads and uploads compared with other storage servers. */
export async function* peers(runLength: RunLength): AsyncGenerator<Figure> {
  installPeers({ wrk: "wrk", ...SWIFT_PACKAGES });
  const servers: StorageServer[] = [];
  try {
    servers.push(await startHoldall());
    const checkout = process.env.SUPABASE_STORAGE;
    if (checkout !== undefined) servers.push(await startSupabaseStorage(checkout));
    else console.log(SKIPPED);
    servers.push(await startSwift());
    yield* await reads(
      servers,
      { what: "public GET of 4 KB", size: 4 * KB, count: 1000 },
      runLength,
    );
    yield* await reads(servers, { what: "public GET of 1 MB", size: MB, count: 16 }, runLength);
    yield* await uploads(servers, runLength);
  } finally {
    for (const server of servers) await server.stop();
  }
}

interface FileSet {
  readonly what: string;
  readonly size: number;
  readonly count: number;
}

async function reads(
  contenders: readonly StorageServer[],
  { what, size, count }: FileSet,
  runLength: RunLength,
): Promise<Figure[]> {
  const names = Array.from({ length: count }, (_, number) => `${size}-${number}.bin`);
  for (const server of contenders) await createFiles(server, names, size);
  return await compareCpu(
    {
      what,
      contenders,
      connections: CONNECTIONS,
      bar: READ_BAR,
      lines: (server) => names.map((name) => ({ path: server.publicPath(name) })),
    },
    runLength,
  );
}

async function uploads(
  contenders: readonly StorageServer[],
  runLength: RunLength,
): Promise<Figure[]> {
  const content = "x".repeat(4 * KB);
  const length = UPLOADS_PER_SECOND * runLength.seconds;
  let turn = 0;
  return await compareCpu(
    {
      what: "upload of 4 KB",
      contenders,
      connections: CONNECTIONS,
      bar: UPLOAD_BAR,
      lines(server) {
        turn += 1;
        return Array.from({ length }, (_, number) =>
          server.upload(`upload-${turn}-${number}.bin`, content),
        );
      },
    },
    runLength,
  );
}
