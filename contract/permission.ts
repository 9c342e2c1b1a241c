import type { KeyAction } from "./key-actions.ts";

/** The part of an operation that the folder of an API key limits, and the rule for keys that have a folder. */
export const placeRules = {
  /** The files and folders that the request names. */
  subject: "Files and folders outside the key's folder look missing (404).",
  /** The folder that the request puts files or folders into. */
  destination: "A target outside the key's folder looks missing (404).",
  /** The results. */
  results: "The response contains only what is in the key's folder.",
  /** The instance as a whole. */
  instance: "A key that is limited to a folder gets 403.",
  /** Links. */
  links:
    "Without `admin` for all folders, a key sees and changes only links that it or its descendants have made; others look missing (404).",
  /** Webhooks. */
  webhooks:
    "A key that is limited to a folder sees and changes only webhooks that it or its descendants have made; others look missing (404).",
  /** API keys. */
  descendants:
    "Without `admin` for all folders, a key sees and changes only the keys that descend from it; others look missing (404).",
} as const satisfies Record<string, string>;

export type Place = keyof typeof placeRules;

/** The rights that an API key needs for an operation. Sessions have every right. */
export interface Permission {
  /** All of them are needed; `admin` implies every action. */
  readonly actions: readonly [KeyAction, ...KeyAction[]];
  readonly places: readonly [Place, ...Place[]];
}

/** Describes the actions that an API key needs, and the rules of the places. Markdown. */
export function describePermission({ actions, places }: Permission): string {
  const needed = `API keys need the ${actions.length > 1 ? "actions" : "action"} ${codeList(actions)}.`;
  const implied = actions.includes("discard") ? ["`delete` implies `discard`."] : [];
  return [needed, ...implied, ...places.map((place) => placeRules[place])].join(" ");
}

/** Why an API key gets 403. Markdown. */
export function forbiddenCause({ actions, places }: Permission): string {
  const lacks = `The API key lacks the action ${codeList(actions, "or")}`;
  return places.includes("instance") ? `${lacks}, or is limited to a folder.` : `${lacks}.`;
}

const codeList = (names: readonly string[], conjunction = "and"): string =>
  names.map((name) => `\`${name}\``).join(` ${conjunction} `);
