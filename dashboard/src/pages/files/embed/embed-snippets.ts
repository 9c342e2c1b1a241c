import { mediaKind } from "../../../../../contract/text/media-kind.ts";
import { shellQuote } from "../../../sharing/link-snippets.ts";

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** A size of an image that pages may choose. */
export interface Candidate {
  readonly url: string;
  /** In pixels. */
  readonly width: number;
}

export interface EmbedInput {
  readonly name: string;
  readonly mimeType: string;
  readonly isPrivate: boolean;
  /** The URL of the chosen size. */
  readonly url: string;
  /** The dimensions of the chosen size. undefined: they are not known, or the file is no image. */
  readonly dimensions: Dimensions | undefined;
  /** The smaller sizes and the chosen one, in ascending order; empty: there is only one. */
  readonly candidates: readonly Candidate[];
}

export interface Snippet {
  readonly format: string;
  readonly code: string;
}

/** Returns snippets that embed a file or link to it, ready to paste. */
export function embedSnippets(input: EmbedInput): readonly Snippet[] {
  return [
    { format: "URL", code: input.url },
    { format: "Markdown", code: markdown(input) },
    { format: "HTML", code: html(input) },
    { format: "React", code: react(input) },
    { format: "Next.js", code: next(input) },
    { format: "BBCode", code: bbcode(input) },
    { format: "curl", code: curl(input) },
  ];
}

const isImage = ({ mimeType }: EmbedInput): boolean => mediaKind(mimeType) === "image";

function markdown(input: EmbedInput): string {
  // Parentheses end the address, and brackets the text.
  const url = input.url.replaceAll("(", "%28").replaceAll(")", "%29");
  // With those of tables, struck text and character references.
  const text = input.name.replace(/[\\[\]<>`*_&~|]/g, "\\$&");
  return `${isImage(input) ? "!" : ""}[${text}](${url})`;
}

function html(input: EmbedInput): string {
  const kind = mediaKind(input.mimeType);
  const [url, name] = [escapeHtml(input.url), escapeHtml(input.name)];
  if (kind === "image") {
    const attributes = imageAttributes(input).map(
      ([key, value]) => `${key}="${escapeHtml(value)}"`,
    );
    return `<img ${attributes.join("\n     ")}>`;
  }
  if (kind === "video" || kind === "audio") return `<${kind} controls src="${url}"></${kind}>`;
  return `<a href="${url}">${name}</a>`;
}

const JSX_NAMES: Readonly<Record<string, string>> = { srcset: "srcSet" };

function react(input: EmbedInput): string {
  const kind = mediaKind(input.mimeType);
  const url = JSON.stringify(input.url);
  if (kind === "image") {
    const attributes = imageAttributes(input).map(([key, value]) =>
      jsxAttribute(JSX_NAMES[key] ?? key, value),
    );
    return ["<img", ...attributes.map((each) => `  ${each}`), "/>"].join("\n");
  }
  if (kind === "video" || kind === "audio") return `<${kind} controls src={${url}} />`;
  return `<a href={${url}}>{${JSON.stringify(input.name)}}</a>`;
}

const jsxAttribute = (key: string, value: string): string =>
  key === "width" || key === "height" ? `${key}={${value}}` : `${key}={${JSON.stringify(value)}}`;

/** The image component needs dimensions, and permission for the host. */
function next(input: EmbedInput): string {
  if (!isImage(input)) return react(input);
  const { dimensions, url, name } = input;
  const size = dimensions
    ? [`  width={${dimensions.width}}`, `  height={${dimensions.height}}`]
    : ["  fill"];
  return [
    "// next.config.js",
    `// images: { remotePatterns: [new URL(${JSON.stringify(`${new URL(url).origin}/**`)})] }`,
    `import Image from ${JSON.stringify("next/image")};`,
    "",
    "<Image",
    `  src={${JSON.stringify(url)}}`,
    `  alt={${JSON.stringify(altOf(name))}}`,
    ...size,
    "/>",
  ].join("\n");
}

function bbcode(input: EmbedInput): string {
  // Brackets would end the tag, or be tags themselves: BBCode has no way to escape them.
  const url = input.url.replaceAll("[", "%5B").replaceAll("]", "%5D");
  const name = input.name.replaceAll("[", "(").replaceAll("]", ")");
  return isImage(input) ? `[img]${url}[/img]` : `[url=${url}]${name}[/url]`;
}

function curl({ url, name, isPrivate }: EmbedInput): string {
  const key = isPrivate ? ' -H "API-Key: $HOLDALL_KEY"' : "";
  return `curl -f${key} ${shellQuote(url)} -o ${shellQuote(name)}`;
}

function imageAttributes(input: EmbedInput): (readonly [string, string])[] {
  const { url, name, dimensions, candidates } = input;
  const widest = candidates.at(-1)?.width;
  return [
    ["src", url],
    ...(widest === undefined
      ? []
      : ([
          ["srcset", candidates.map((each) => `${each.url} ${each.width}w`).join(", ")],
          ["sizes", `(max-width: ${widest}px) 100vw, ${widest}px`],
        ] as const)),
    ...(dimensions
      ? ([
          ["width", `${dimensions.width}`],
          ["height", `${dimensions.height}`],
        ] as const)
      : []),
    ["alt", altOf(name)],
    ["loading", "lazy"],
  ];
}

/** Words from the file's name, to be replaced by a description. */
const altOf = (name: string): string => name.replace(/\.[^.]+$/, "").replace(/[-_]+/g, " ");

const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** The dimensions of an image that has at most `limit` pixels in width and height. Nothing is enlarged. */
export function scaledTo({ width, height }: Dimensions, limit: number): Dimensions {
  const scale = Math.min(1, limit / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
