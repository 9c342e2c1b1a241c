import { z } from "zod";
import { givenFields } from "../audit.ts";
import { changeSettingsBody } from "../bodies/settings.ts";
import { defineOperation } from "../define-operation.ts";
import { logoObject, settingsObject } from "../objects/settings.ts";

const allSettings = z.object({ settings: settingsObject });

const theLogo = z.object({
  logo: logoObject.nullable().meta({ description: "`null`: there is none." }),
});

/** The settings that can change while the service runs. */
export const settingsOperations = {
  readSettings: defineOperation({
    id: "readSettings",
    method: "GET",
    path: "/api/settings",
    tag: "Settings",
    summary: "Show the settings",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    response: { data: allSettings },
    errors: {},
    audit: null,
    example: { sdk: `const settings = await holdall.settings.read();` },
  }),
  changeSettings: defineOperation({
    id: "changeSettings",
    method: "PUT",
    path: "/api/settings",
    tag: "Settings",
    summary: "Change settings",
    description:
      "Changes the given settings and leaves the others; `null` restores the default. Either all changes are made or none. They take effect at once on this server, and within seconds on other servers that use the same database. Settings that the environment sets cannot be changed.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    body: { json: changeSettingsBody },
    response: { data: allSettings },
    errors: {
      400: "No setting is given, a value is out of range, or two values contradict each other.",
      409: "The environment sets one of the settings; the message names the variable.",
    },
    audit: { before: (body) => ({ detail: givenFields(body) }) },
    example: {
      body: { maxUploadSize: 1073741824 },
      sdk: `await holdall.settings.change({
  maxUploadSize: 1024 ** 3,
  defaultVisibility: null, // restores the default
});`,
    },
  }),
  readLogo: defineOperation({
    id: "readLogo",
    method: "GET",
    path: "/api/settings/logo",
    tag: "Settings",
    summary: "Show the logo",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    response: { data: theLogo },
    errors: {},
    audit: null,
    example: {
      sdk: `import { logoOf } from "@holdall/sdk/logo";

const logo = await logoOf(holdall).read();`,
    },
  }),
  putLogo: defineOperation({
    id: "putLogo",
    method: "PUT",
    path: "/api/settings/logo",
    tag: "Settings",
    summary: "Set the logo",
    description:
      "Sets the logo on the pages of links and the sign-in page. The server encodes it anew, without metadata and with at most 320 pixels a side.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    body: { bytes: ["image/png", "image/jpeg", "image/webp"] },
    response: { data: theLogo },
    errors: {
      413: "The image is larger than 1 MiB.",
      415: "It is no PNG, JPEG or WebP image.",
      422: "The image is damaged, has more than 16 megapixels, or takes too long to read.",
    },
    audit: {},
    example: {
      curl: [{ options: ["-H 'Content-Type: image/png'", "--data-binary @logo.png"] }],
      sdk: `import { logoOf } from "@holdall/sdk/logo";

const image = new Blob([png], { type: "image/png" });
const logo = await logoOf(holdall).put(image);`,
    },
  }),
  removeLogo: defineOperation({
    id: "removeLogo",
    method: "DELETE",
    path: "/api/settings/logo",
    tag: "Settings",
    summary: "Remove the logo",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    response: { data: theLogo },
    errors: {},
    audit: {},
    example: {
      sdk: `import { logoOf } from "@holdall/sdk/logo";

await logoOf(holdall).remove();`,
    },
  }),
};
