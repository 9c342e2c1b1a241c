import { useState } from "react";
import { Segmented } from "../../../components/segmented.tsx";
import { CodeView } from "./code-view.tsx";
import { Markdown } from "./markdown.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";
import { TextFrame } from "./text-frame.tsx";
import { useText } from "./use-text.ts";

const MODES = [
  { value: "page", label: "Preview" },
  { value: "source", label: "Source" },
] as const;

/** Markdown, rendered or as source. */
export function MarkdownPreview({ file }: PreviewBodyProps) {
  const content = useText(file);
  const [mode, setMode] = useState<"page" | "source">("page");
  return (
    <>
      <div className="flex flex-none justify-center border-line border-b py-2">
        <Segmented label="View as" options={MODES} value={mode} onChange={setMode} />
      </div>
      <TextFrame content={content} size={file.size} label={`Text of ${file.name}`}>
        {(text) =>
          mode === "source" ? (
            <CodeView text={text} language="markdown" />
          ) : (
            <Markdown text={text} folder={file.key.slice(0, -file.name.length)} />
          )
        }
      </TextFrame>
    </>
  );
}
