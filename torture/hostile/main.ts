import { runTrials } from "../run-trials.ts";
import { attacks } from "./attacks.ts";

process.exit(await runTrials(attacks, process.argv.slice(2)));
