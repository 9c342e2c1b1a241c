import { path } from "./schemas.ts";
import { withDefault } from "./variable.ts";

/** In a file of its own, because what `doctor` says about other variables names commands with it. */
export const dataPath = withDefault("DATA_PATH", path, "data", "The data folder.");
