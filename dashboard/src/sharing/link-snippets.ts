import { mediaKind } from "../../../contract/text/media-kind.ts";
import type { FileObject } from "../../../sdk/src/holdall.ts";

export interface LinkSnippetsInput {
  readonly file: FileObject;
  /** The signed URL. */
  readonly url: string;
  /** The URL of the instance. */
  readonly siteUrl: string;
  /** In seconds. */
  readonly lifetime: number;
}

/** Code snippets for a signed URL, ready to paste. */
export function linkSnippets({ file, url, siteUrl, lifetime }: LinkSnippetsInput) {
  return [
    { label: "curl", code: `curl -f ${shellQuote(url)} -o ${shellQuote(file.name)}` },
    { label: "HTML", code: htmlSnippet(file, url) },
    {
      label: "TypeScript",
      code: [
        "// @holdall/sdk is not on the npm registry yet: /docs says how to install it.",
        'import { Holdall } from "@holdall/sdk";',
        "",
        `const holdall = new Holdall({ url: ${JSON.stringify(siteUrl)}, apiKey: process.env.HOLDALL_KEY });`,
        `const { url } = await holdall.files.sign(${JSON.stringify(file.id)}, { expiresIn: ${lifetime} });`,
      ].join("\n"),
    },
  ];
}

/** Quotes text as one shell word. A leading hyphen gets `./`, so that it is not an option. */
export function shellQuote(text: string): string {
  const safe = text.startsWith("-") ? `./${text}` : text;
  return `'${safe.replaceAll("'", `'\\''`)}'`;
}

function htmlSnippet({ name, mimeType }: FileObject, url: string): string {
  const [src, text] = [escapeHtml(url), escapeHtml(name)];
  const kind = mediaKind(mimeType);
  if (kind === "image") return `<img src="${src}" alt="${text}">`;
  if (kind === "video" || kind === "audio") {
    return `<${kind} controls src="${src}"></${kind}>`;
  }
  return `<a href="${src}">${text}</a>`;
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
