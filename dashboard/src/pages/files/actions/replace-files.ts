import type { QueryClient } from "@tanstack/react-query";
import { isStatus } from "../../../app/connection/client.ts";
import { once } from "../../../operations/once.ts";
import { readTrashDays } from "../../../trash/use-trash-days.ts";

/**
 * Whether replaced files are deleted permanently. If the settings cannot be read, they are to go to the
 * trash, so that none is lost by mistake.
 */
export const deletesReplaced = async (client: QueryClient): Promise<boolean> =>
  (await readTrashDays(client)) === 0;

/**
 * Awaits a request that replaces files. It is not repeated after a lost response: the second one would
 * have no `undoId`. The server refuses it with 400 if the files were to go to a trash that is off.
 */
export async function replaceFiles<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await once(call);
  } catch (error) {
    if (!isStatus(error, 400)) throw error;
    throw new Error("The trash is off, so nothing was replaced.");
  }
}
