import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { kindOf } from "../data/kind.ts";

export interface LinkLinesInput {
  readonly file: FileObject;
  /** The signed URL. */
  readonly url: string;
  /** The URL of the instance. */
  readonly site: string;
  /** In seconds, as text. */
  readonly lifetime: string;
}

/** Code snippets for a signed URL, ready to paste. */
export function linkLines({ file, url, site, lifetime }: LinkLinesInput) {
  return [
    { label: "curl", code: `curl ${shellQuoted(url)} -o ${shellQuoted(file.name)}` },
    { label: "HTML", code: htmlLine(file, url) },
    {
      label: "TypeScript",
      code: [
        'import { Holdall } from "@holdall/sdk";',
        "",
        `const holdall = new Holdall({ url: ${JSON.stringify(site)}, apiKey: process.env.HOLDALL_KEY });`,
        `const { url } = await holdall.files.sign(${JSON.stringify(file.id)}, { expiresIn: ${lifetime} });`,
      ].join("\n"),
    },
  ];
}

/** Quotes text as one shell word. A leading hyphen gets `./`, so that it is not an option. */
export function shellQuoted(text: string): string {
  const safe = text.startsWith("-") ? `./${text}` : text;
  return `'${safe.replaceAll("'", `'\\''`)}'`;
}

function htmlLine({ name, mimeType }: FileObject, url: string): string {
  const [address, text] = [htmlEscaped(url), htmlEscaped(name)];
  const kind = kindOf(mimeType);
  if (kind === "image") return `<img src="${address}" alt="${text}">`;
  if (kind === "video" || kind === "audio") {
    return `<${kind} controls src="${address}"></${kind}>`;
  }
  return `<a href="${address}">${text}</a>`;
}

const htmlEscaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
