import { Fault } from "../../rules/fault.ts";

export const noTarget = (): Fault => new Fault("missing", "No such folder to move to.");
