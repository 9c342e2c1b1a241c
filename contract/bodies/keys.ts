import { z } from "zod";
import { keyActions, keyActionTexts } from "../key-actions.ts";
import { moment } from "../moment.ts";
import { required, text } from "../text.ts";
import { oldSecretExpiresIn, oneId } from "./common.ts";

const keyName = z
  .string({ error: required("a name of 1 to 100 characters") })
  .trim()
  .min(1, { error: "must be a name of 1 to 100 characters" })
  .max(100, { error: "must be a name of 1 to 100 characters" })
  .meta({ description: "A label that identifies the key in lists.", example: "backend" });

const actionList = keyActions.map((action) => `\`${action}\``).join(", ");

export const createKeyBody = z.object({
  name: keyName,
  actions: z
    .array(z.enum(keyActions, { error: `must be one of ${actionList}` }), {
      error: required(`a list of actions, of ${actionList}`),
    })
    .min(1, { error: `must be a list with at least one of ${actionList}` })
    .optional()
    .meta({
      description: `What the key may do. ${keyActions.map((action) => `\`${action}\`: ${keyActionTexts[action]}`).join(" ")} Default: \`list\`, \`read\`, \`write\`, \`delete\` and \`share\`, as far as the key that creates it has them; \`admin\` and \`keys\` only if they are named. A key that has \`discard\` without \`delete\` gives \`discard\` instead, and \`write\` only together with it.`,
    }),
  folderId: oneId("a folder").optional().meta({
    description:
      "Limits the key to this folder and everything in it, also when the folder is renamed or moved. Default: all folders, or those of the key that creates it.",
  }),
  folder: text("the key of a folder").optional().meta({
    description: "The key of an existing folder, instead of its id. Not empty.",
    example: "photos",
  }),
  expiresIn: z
    .number({ error: "must be a number of seconds of at least 1, or null" })
    .min(1, { error: "must be a number of seconds of at least 1, or null" })
    .max(3_153_600_000, { error: "must be at most 100 years, in seconds" })
    .nullish()
    .meta({
      description:
        "Seconds until the key expires; `null`: never. Default: never, or when the key that creates it expires.",
    }),
  expiresAt: moment.nullish().meta({
    description:
      "When the key expires, instead of `expiresIn`: UTC, or ISO 8601, in the future. `null`: never.",
    override: { type: ["string", "null"], format: "date-time" },
  }),
});

const keyId = text("the id of an API key").meta({
  description: "The key's id, not the key itself.",
});

export const renameKeyBody = z.object({ id: keyId, name: keyName });

export const rotateKeyBody = z.object({
  id: keyId,
  oldSecretExpiresIn: oldSecretExpiresIn(
    "Seconds until the old secret stops working, at most 604800 (7 days). Default: 0, at once.",
  ),
});

export const deleteKeyBody = z.object({ id: keyId });

export const s3CredentialsBody = z.object({ id: keyId });
