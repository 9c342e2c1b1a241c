import { webhooksOf } from "../../../../sdk/src/webhooks-only.ts";
import { holdall } from "../../app/connection/client.ts";

export const webhooks = webhooksOf(holdall);
