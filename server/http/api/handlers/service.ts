import type { serviceOperations } from "../../../../contract/operations/service.ts";
import type { Handlers } from "./handler.ts";

/** `openApi` returns the OpenAPI document as JSON; `isReady` rejects with a fault that says why not. */
export function serviceHandlers(
  openApi: () => string,
  isReady: () => Promise<{ readonly ready: true; readonly degraded?: string }>,
): Handlers<keyof typeof serviceOperations> {
  return {
    async health() {
      return { message: "Holdall is running." };
    },

    ready: isReady,

    async openapi() {
      return new Response(openApi(), {
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "X-Content-Type-Options": "nosniff",
        },
      });
    },
  };
}
