import { commands } from "./commands/commands.ts";
import { runProgram } from "./commands/run-program.ts";

// Bytecode, which the tests use, does not support a top-level await.
void runProgram({
  commands,
  about: "self-hosted file hosting",
  defaultCommand: "serve",
  async config(overrides) {
    const [{ readConfig }, { fromMinio }] = await Promise.all([
      import("./config/read-config.ts"),
      import("./config/minio-environment.ts"),
    ]);
    const { env, names } = fromMinio({ ...process.env, ...overrides });
    return readConfig(env, names);
  },
});
