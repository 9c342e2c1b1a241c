import { useMemo, useState } from "react";
import { formatJson } from "../../../../../../contract/documents/format-json.ts";
import {
  languageOf,
  MAX_JSON_BYTES,
  textStructureOf,
} from "../../../../../../contract/documents/text-structure.ts";
import { Notice } from "../../../../components/notice.tsx";
import type { PreviewBodyProps } from "../preview-body-props.ts";
import { CodeView } from "./code-view.tsx";
import { TableView } from "./table-view.tsx";
import { TextFrame } from "./text-frame.tsx";
import { TextToolbar } from "./text-toolbar.tsx";
import { useText } from "./use-text.ts";
import { useWrap } from "./use-wrap.ts";

const MODES = {
  json: [
    { value: "structured", label: "Formatted" },
    { value: "source", label: "Source" },
  ],
  table: [
    { value: "structured", label: "Table" },
    { value: "source", label: "Source" },
  ],
} as const;

/** Plain text, code, JSON and tables. */
export function TextPreview({ file }: PreviewBodyProps) {
  const structure = textStructureOf(file);
  // JSON can only be formatted as a whole.
  const content = useText(file, structure === "json" ? MAX_JSON_BYTES : undefined);
  const [mode, setMode] = useState<"structured" | "source">("structured");
  const [wrap, setWrap] = useWrap(file.mimeType.startsWith("text/plain"));
  const isStructured = structure !== undefined && mode === "structured" && file.size > 0;
  return (
    <>
      <TextToolbar
        file={file}
        content={content}
        modes={structure && MODES[structure]}
        mode={mode}
        onMode={setMode}
        wrap={wrap}
        onWrap={setWrap}
      />
      <TextFrame content={content} size={file.size} label={`Text of ${file.name}`}>
        {(text) =>
          isStructured && structure === "table" ? (
            <TableView text={text} isPart={content.hasMore} label={file.name} wrap={wrap} />
          ) : isStructured ? (
            <JsonView text={text} wrap={wrap} />
          ) : (
            <CodeView text={text} language={languageOf(file.name)} wrap={wrap} />
          )
        }
      </TextFrame>
    </>
  );
}

function JsonView({ text, wrap }: { readonly text: string; readonly wrap: boolean }) {
  const formatted = useMemo(() => formatJson(text), [text]);
  return (
    <>
      {formatted === undefined && (
        <div className="sticky left-0 px-4 pt-4">
          <Notice tone="warn">This is not valid JSON, so it is shown as it is written.</Notice>
        </div>
      )}
      <CodeView text={formatted ?? text} language="json" wrap={wrap} />
    </>
  );
}
