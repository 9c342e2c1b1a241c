import type { Handlers } from "./handler.ts";

/** `openApi` gives the OpenAPI document as JSON. */
export function serviceHandlers(openApi: () => string): Handlers<"health" | "openapi"> {
  return {
    async health() {
      return { message: "Holdall is running." };
    },

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
