import { Fault } from "../../rules/fault.ts";

export const noTarget = (): Fault => new Fault("not_found", "No such folder to move to.");
