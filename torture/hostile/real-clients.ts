import type { ServerProcess } from "../server-process.ts";
import type { Row } from "../trial.ts";
import { downloadByBrowser } from "./browser-downloads.ts";
import { type Course, rowOf } from "./course.ts";
import { fetchByDownloaders } from "./downloaders.ts";
import { readTables } from "./table-reader.ts";
import { seekByPlayers } from "./video-players.ts";

/** What people fetch files with, each in its own way: whole, in pieces, here and there. */
export async function fetchByClients(server: ServerProcess, course: Course): Promise<Row[]> {
  const { where } = course;
  return [
    await rowOf(`downloaders ${where}`, () => fetchByDownloaders(server, course)),
    await rowOf(`jumps in a film ${where}`, () => seekByPlayers(server, course)),
    await rowOf(`rows of a Parquet file ${where}`, () => readTables(server, course)),
    await rowOf(`a browser's downloads ${where}`, () => downloadByBrowser(server, course)),
  ];
}
