import type { ChangeName } from "../changes/changes.ts";
import { growingChanges } from "../changes/changes.ts";
import { type Ballast, withRoom } from "./ballast.ts";
import { noSpace } from "./sqlite-fault.ts";
import type { Writer } from "./writer.ts";

/**
 * A writer that makes the changes which free room, and the few that keep the service usable, on a
 * full volume too: what fails for want of room is tried again on the ballast's. While that is given
 * up, changes that store more are refused, so that they cannot use it up.
 */
export function createRoomyWriter(writer: Writer, ballast: Ballast): Writer {
  return {
    async change(name, input) {
      if (!isFiller(name)) return withRoom(ballast, () => writer.change(name, input));
      if (ballast.owed() > 0 && !(await ballast.restore())) throw noSpace();
      return writer.change(name, input);
    },
    async close() {
      await writer.close();
      await ballast.close();
    },
  };
}

const isFiller = (name: ChangeName): boolean => growingChanges.has(name);
