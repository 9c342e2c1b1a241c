import { CodeView } from "./code-view.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";
import { TextFrame } from "./text-frame.tsx";
import { useText } from "./use-text.ts";

/** Plain text and code. */
export function TextPreview({ file }: PreviewBodyProps) {
  const content = useText(file);
  return (
    <TextFrame content={content} size={file.size} label={`Text of ${file.name}`}>
      {(text) => <CodeView text={text} language={languageOf(file.name)} />}
    </TextFrame>
  );
}

/** The extension, or the whole name of a file such as `Makefile`. */
const languageOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
