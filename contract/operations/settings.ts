import { z } from "zod";
import * as bodies from "../bodies.ts";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";

const allSettings = z.object({ settings: objects.settingsObject });

/** What may be changed while the service runs. */
export const settingsOperations = {
  readSettings: {
    id: "readSettings",
    method: "GET",
    path: "/api/settings",
    tag: "Settings",
    summary: "Show the settings",
    access: "caller",
    budget: "api",
    answer: { data: allSettings },
    errors: {},
  },
  changeSettings: {
    id: "changeSettings",
    method: "PUT",
    path: "/api/settings",
    tag: "Settings",
    summary: "Change settings",
    description:
      "Sets what is given and leaves the rest; `null` goes back to the default. All of it takes effect, or nothing does: at once here, and within seconds in other processes over the same catalog. What the environment sets is pinned.",
    access: "caller",
    budget: "api",
    body: { json: bodies.changeSettingsBody },
    answer: { data: allSettings },
    errors: {
      400: "No setting is given, a value is out of its range, or two do not go together.",
      409: "The environment decides a setting; the message names the variable.",
    },
  },
} as const satisfies Record<string, Operation>;
