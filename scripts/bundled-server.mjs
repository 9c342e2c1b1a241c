import { join } from "node:path";
import { runBun } from "./run-bun.mjs";

/** Bundles the server into a folder for tests, so that it starts fast. Resolves with the path of the program. */
export async function bundleServer(folder) {
  const bundle = join(folder, "bundle");
  const { isSuccess, output } = await runBun(
    ["scripts/bundle-server.ts", "--bytecode", bundle],
    process.env,
  );
  if (!isSuccess) throw new Error(`The server could not be bundled:\n${output}`);
  return join(bundle, "server", "main.ts");
}
