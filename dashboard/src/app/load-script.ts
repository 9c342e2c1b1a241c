import { checkConnection } from "./connection/connection.ts";

/**
 * Imports a script for an action of the user. One that could not be loaded is loaded once more if the server
 * can be reached, as the pages are. Rejects with an error for the user.
 */
export async function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch {
    if (!(await checkConnection())) throw new Error("Can't reach the server. Nothing was changed.");
    return load().catch((cause: unknown) => {
      const message = "Part of the dashboard couldn't be loaded. Reload the page, and try again.";
      throw new Error(message, { cause });
    });
  }
}
