import { once } from "node:events";
import { head, openRaw, type RawConnection } from "./raw.ts";

/** A download of which some bytes have arrived; `answer` reads the rest. */
export async function beginDownload(
  server: { readonly port: number },
  url: string,
): Promise<RawConnection> {
  const connection = await openRaw(server.port);
  const started = once(connection.socket, "data");
  connection.send(head("GET", `/${url}`));
  await started;
  return connection;
}
