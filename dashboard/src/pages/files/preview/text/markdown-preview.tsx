import { useState } from "react";
import type { PreviewBodyProps } from "../preview-body-props.ts";
import { CodeView } from "./code-view.tsx";
import { Markdown } from "./markdown.tsx";
import { TextFrame } from "./text-frame.tsx";
import { TextToolbar } from "./text-toolbar.tsx";
import { useText } from "./use-text.ts";
import { useWrap } from "./use-wrap.ts";

const MODES = [
  { value: "page", label: "Preview" },
  { value: "source", label: "Source" },
] as const;

/** Markdown, rendered or as source. */
export function MarkdownPreview({ file }: PreviewBodyProps) {
  const content = useText(file);
  const [mode, setMode] = useState<"page" | "source">("page");
  const [wrap, setWrap] = useWrap(true);
  return (
    <>
      <TextToolbar
        file={file}
        content={content}
        modes={MODES}
        mode={mode}
        onMode={setMode}
        wrap={mode === "source" ? wrap : undefined}
        onWrap={setWrap}
      />
      <TextFrame content={content} size={file.size} label={`Text of ${file.name}`}>
        {(text) =>
          mode === "source" ? (
            <CodeView text={text} language="markdown" wrap={wrap} />
          ) : (
            <Markdown text={text} folder={file.key.slice(0, -file.name.length)} />
          )
        }
      </TextFrame>
    </>
  );
}
