import { runTrials } from "./run-trials.ts";
import { trials } from "./trials.ts";

process.exit(await runTrials(trials, process.argv.slice(2)));
