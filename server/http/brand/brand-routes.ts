import { type AccentShades, accentShades } from "../../../contract/text/accent-colors.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { Settings } from "../../settings/settings.ts";
import { failure } from "../connection/reply.ts";

type BrandRoute = { GET: (request: Request) => Promise<Response> };

/** The logo and the colors of the instance. Each has its content in its URL, so that browsers keep it. */
export function brandRoutes(settings: Pick<Settings, "logoBytes">): Record<string, BrandRoute> {
  const get = async ({ url }: Request): Promise<Response> => {
    const name = new URL(url, "http://localhost").pathname.replace(/^.*\//, "");
    const color = /^colors-([0-9a-f]{6})\.css$/.exec(name)?.[1];
    if (color !== undefined) return brandFile(brandStyles(`#${color}`), "text/css; charset=utf-8");
    const version = /^logo-([0-9a-f]{16})\.webp$/.exec(name)?.[1];
    const logo = version === undefined ? undefined : await settings.logoBytes(version);
    if (logo !== undefined) return brandFile(logo, "image/webp");
    return failure(new Fault("not_found", "This path does not exist."));
  };
  return { "/brand/*": { GET: get } };
}

const brandFile = (body: string | Uint8Array<ArrayBuffer>, type: string): Response =>
  new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      // The page of missing files shows them too. It is sandboxed, so no origin is the same as its own.
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });

/** The variables of both the pages of links and the dashboard. */
function brandStyles(color: string): string {
  const [light, dark] = [accentShades(color, "light"), accentShades(color, "dark")];
  const variables: readonly (readonly [name: string, shade: keyof AccentShades])[] = [
    ["accent", "accent"],
    ["accent-strong", "strong"],
    ["accent-ink", "ink"],
    ["accent-soft", "soft"],
    ["accent-line", "line"],
  ];
  const lines = variables.flatMap(([name, shade]) => {
    const value = `light-dark(${light[shade]}, ${dark[shade]})`;
    return [`  --${name}: ${value};`, `  --color-${name}: ${value};`];
  });
  return `:root {\n${lines.join("\n")}\n}\n`;
}
