import type { ServerProcess } from "../server-process.ts";
import type { Row } from "../trial.ts";
import { type ClientSetup, clientRow } from "./client-setup.ts";
import { downloadInBrowser } from "./download-in-browser.ts";
import { readParquetRows } from "./read-parquet-rows.ts";
import { runDownloadTools } from "./run-download-tools.ts";
import { seekInVideo } from "./seek-in-video.ts";

/** Downloads with common clients: download tools, browsers, video players, Parquet readers. */
export async function runRealClients(server: ServerProcess, setup: ClientSetup): Promise<Row[]> {
  const { where } = setup;
  return [
    await clientRow(`downloaders ${where}`, () => runDownloadTools(server, setup)),
    await clientRow(`jumps in a film ${where}`, () => seekInVideo(server, setup)),
    await clientRow(`rows of a Parquet file ${where}`, () => readParquetRows(server, setup)),
    await clientRow(`a browser's downloads ${where}`, () => downloadInBrowser(server, setup)),
  ];
}
