import type { BaseClient } from "./base-client.ts";
import { type Logo, logoOf } from "./logo.ts";
import { type People, peopleOf } from "./people.ts";
import { type Quotas, quotasOf } from "./quotas.ts";
import { type Undo, undoOf } from "./undo.ts";
import { type Webhooks, webhooksOf } from "./webhooks.ts";

/** Methods for the administration of an instance. */
export interface Admin
  extends Pick<
    BaseClient,
    "keys" | "settings" | "activity" | "overview" | "healthDetails" | "startScrub"
  > {
  readonly people: People;
  readonly quotas: Quotas;
  readonly undo: Undo;
  readonly logo: Logo;
  readonly webhooks: Webhooks;
}

/** Everything that administers the client's server, also what has an entry of its own. Sends nothing. */
export function adminOf(holdall: BaseClient): Admin {
  return {
    keys: holdall.keys,
    settings: holdall.settings,
    activity: holdall.activity,
    overview: (options) => holdall.overview(options),
    healthDetails: (options) => holdall.healthDetails(options),
    startScrub: (options) => holdall.startScrub(options),
    people: peopleOf(holdall),
    quotas: quotasOf(holdall),
    undo: undoOf(holdall),
    logo: logoOf(holdall),
    webhooks: webhooksOf(holdall),
  };
}
