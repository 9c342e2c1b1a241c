#!/usr/bin/env node
// The program of the npm package `@holdall/cli`: the commands for remote servers, for Node.
import { remoteCommands } from "../../server/commands/remote-commands.ts";
import { runProgram } from "../../server/commands/run-program.ts";

await runProgram({
  commands: new Map(Object.entries(remoteCommands)),
  about: "commands for servers of self-hosted file hosting",
  defaultCommand: "help",
  config: () => Promise.reject(new Error("These commands need no configuration of a server.")),
});
