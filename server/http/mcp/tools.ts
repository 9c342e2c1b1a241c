import { changeTools } from "./change-tools.ts";
import { lookupTools } from "./lookup-tools.ts";
import type { Tool } from "./tool.ts";
import { transferTools } from "./transfer-tools.ts";

/** Every tool, in the order in which clients list them. */
export const tools: readonly Tool[] = [...lookupTools, ...transferTools, ...changeTools];
