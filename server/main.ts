import { commands } from "./commands/commands.ts";
import { runProgram } from "./commands/run-program.ts";

// Bytecode, which the tests use, does not support a top-level await.
void runProgram({
  commands,
  about: "self-hosted file hosting",
  defaultCommand: "serve",
  config: async () => (await import("./config/read-config.ts")).readConfig(process.env),
});
