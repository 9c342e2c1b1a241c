import type { ApiKeys } from "../../access/api-keys.ts";
import { Fault } from "../../rules/fault.ts";
import { keyObject } from "../objects.ts";
import type { Handlers } from "./handler.ts";

type KeyOperations = "listKeys" | "createKey" | "renameKey" | "revokeKey";

export function keyHandlers(keys: ApiKeys): Handlers<KeyOperations> {
  return {
    async listKeys() {
      return { keys: (await keys.list()).map(keyObject) };
    },

    async createKey({ body }) {
      const { record, secret } = await keys.create({
        name: body.name,
        expiresIn: body.expiresIn ?? null,
      });
      return { key: keyObject(record), secret };
    },

    async renameKey({ body }) {
      return { key: keyObject(await keys.rename(body.id, body.name)) };
    },

    async revokeKey({ body }) {
      if (!(await keys.revoke(body.id))) throw new Fault("not_found", "API key not found.");
      return { deleted: [body.id] };
    },
  };
}
