import type { ServerProcess } from "../server-process.ts";
import type { Row } from "../trial.ts";
import { type ClientSetup, clientRow } from "./client-setup.ts";
import { downloadInBrowser } from "./download-in-browser.ts";
import { readParquetRows } from "./read-parquet-rows.ts";
import { runDownloadTools } from "./run-download-tools.ts";
import { seekInVideo } from "./seek-in-video.ts";

/** Downloads files with common clients, which read them whole, in segments or at random offsets. */
export async function runRealClients(server: ServerProcess, setup: ClientSetup): Promise<Row[]> {
  const { connection } = setup;
  return [
    await clientRow(`download tools ${connection}`, () => runDownloadTools(server, setup)),
    await clientRow(`video seeks ${connection}`, () => seekInVideo(server, setup)),
    await clientRow(`Parquet reads ${connection}`, () => readParquetRows(server, setup)),
    await clientRow(`browser downloads ${connection}`, () => downloadInBrowser(server, setup)),
  ];
}
