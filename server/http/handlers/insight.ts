import type { Activity } from "../../insight/activity.ts";
import { activityObject } from "../objects.ts";
import { readCursor, writeCursor, wrongCursor } from "./cursor.ts";
import type { Handlers } from "./handler.ts";

const USUAL_LIMIT = 50;

export function insightHandlers({ activity }: { activity: Activity }): Handlers<"listActivity"> {
  return {
    async listActivity({ query }) {
      const { limit = USUAL_LIMIT, cursor = "", actor, ...filter } = query;
      const list = `activity ${JSON.stringify([actor ?? "", filter])}`;
      const found = await activity.list({
        ...filter,
        actorId: actor,
        before: cursor === "" ? undefined : idIn(list, cursor),
        // One more tells whether there is a next page.
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        activity: page.map(activityObject).filter((each) => each !== undefined),
        nextCursor: last === undefined ? null : writeCursor(list, [last.id]),
      };
    },
  };
}

function idIn(list: string, cursor: string): string {
  const [id] = readCursor(list, cursor);
  if (typeof id !== "string") throw wrongCursor();
  return id;
}
