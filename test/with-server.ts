import { type Environment, startServer, type TestServer } from "./harness.ts";

/** Runs `act` with a server of its own, and discards it. */
export async function withServer(
  env: Environment,
  act: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(env);
  try {
    await act(server);
  } finally {
    await server.discard();
  }
}
