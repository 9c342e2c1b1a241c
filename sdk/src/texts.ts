// biome-ignore lint/performance/noBarrelFile: this is the entry `@holdall/sdk/texts`.
export { actionTexts } from "../../contract/activity.ts";
export { keyActions, keyActionTexts } from "../../contract/key-actions.ts";
