import { noSuchFile } from "../../files/find.ts";
import { fileHeaders } from "../../semantics/plan-delivery.ts";
import { staticFailure } from "../connection/reply.ts";

const HEADERS = { ...fileHeaders, Vary: "Accept" };

/** Its styles are inline: the policy of hosted files lets no page load anything of the dashboard. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>This file can't be opened</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText;
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 28rem; padding: 2rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.375rem; line-height: 1.3; }
p { margin: 0 0 0.75rem; }
</style>
<main>
<h1>This file can't be opened</h1>
<p>The address may be wrong, the file may have been deleted or made private, or the link may have expired.</p>
<p>Ask the person who sent you the link for a new one.</p>
</main>
</html>
`;

const asJson = staticFailure(noSuchFile(), HEADERS);

const pageInit = {
  status: 404,
  headers: new Headers({
    ...HEADERS,
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
  }),
};

/**
 * 404 of hosting, the same for a missing file and for one that the request may not read: a page for
 * browsers, the envelope for programs.
 */
export function missingFile(request: Request): Response {
  const wantsPage = request.headers.get("accept")?.includes("text/html") ?? false;
  return wantsPage ? new Response(PAGE, pageInit) : asJson();
}
