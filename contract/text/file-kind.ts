import { type MediaKind, mediaKind } from "./media-kind.ts";

/** Names of text files whose media type does not say so. */
const TEXT_NAME =
  /(?:^|\.)(?:env|gitignore|gitattributes|editorconfig|npmrc|dockerignore|log|lock|conf|cfg|ini|toml|tsx?|mts|cts|jsx|vue|svelte|rs|go|py|rb|php|java|kt|swift|c|h|cpp|hpp|cs|sh|bash|zsh|fish|ps1|sql|lua|r|pl|diff|patch|tf|proto|graphql|srt|vtt)$|^(?:dockerfile|makefile|license|readme|procfile|gemfile)$/i;

export const isTextName = (name: string): boolean => TEXT_NAME.test(name);

export interface NamedType {
  readonly name: string;
  readonly mimeType: string;
}

/** The kind of a file by its media type, and by its name where the type says nothing. */
export function fileKind({ name, mimeType }: NamedType): MediaKind {
  const kind = mediaKind(mimeType);
  return kind === "other" && isTextName(name) ? "text" : kind;
}
