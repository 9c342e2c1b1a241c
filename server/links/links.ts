import type { Millis } from "../domain/records.ts";
import { createLinkTokens } from "../domain/tokens/link-token.ts";
import { createVisitSeal } from "../domain/tokens/visit-seal.ts";
import type { LinksDeps } from "./deps.ts";
import { createViewLinks } from "./link-view.ts";
import { createManageLinks, type ManageLinks } from "./manage-links.ts";
import { createOpenLink, type OpenLink } from "./open-link.ts";
import { createPlanLimit } from "./plan-limit.ts";
import { createResolveLink } from "./resolve-link.ts";
import { createVisitBuffer } from "./visit-buffer.ts";

/** Links through which visitors read or send files. */
export interface Links extends ManageLinks {
  readonly open: OpenLink;
  /** Removes links that ended long ago, or whose file or folder was permanently deleted. */
  removeEnded(now: Millis): Promise<void>;
  /** Writes the visits that were counted. Never throws. */
  flush(): Promise<void>;
  /** Writes the visits that were counted and stops the timer. */
  close(): Promise<void>;
}

/** How long an ended link stays in lists. */
const ENDED_MS = 30 * 24 * 3600 * 1000;
/** How many links one transaction removes. */
const ENDED_AT_ONCE = 100;

export function createLinks(deps: LinksDeps): Links {
  const { catalog, scopesOf, secret } = deps;
  const tokenOf = createLinkTokens(secret);
  const view = createViewLinks({ catalog, scopesOf, tokenOf });
  const visits = createVisitBuffer(deps);
  return {
    ...createManageLinks({ ...deps, tokenOf, view, visits }),
    open: createOpenLink({
      ...deps,
      resolve: createResolveLink(deps),
      visitSeal: createVisitSeal(secret),
      planLimit: createPlanLimit(),
      visits,
    }),
    flush: visits.flush,
    close: visits.close,
    async removeEnded(now) {
      while (await catalog.removeEndedLinks(now - ENDED_MS, ENDED_AT_ONCE));
    },
  };
}
