import { useMemo } from "react";
import { Highlighted } from "./highlighted.tsx";

/** Code with line numbers, which are excluded from copying. */
export function CodeView({ text, language }: { readonly text: string; readonly language: string }) {
  const numbers = useMemo(() => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return Array.from({ length: Math.max(1, lines) }, (_, at) => at + 1).join("\n");
  }, [text]);
  return (
    <div className="flex min-w-full py-4 font-mono text-sm leading-5">
      <pre
        aria-hidden
        className="sticky left-0 flex-none select-none border-line border-r bg-canvas pr-3 pl-4 text-right text-muted"
      >
        {numbers}
      </pre>
      <pre className="flex-1 px-4" style={{ tabSize: 4 }}>
        <code>
          <Highlighted text={text} language={language} />
        </code>
      </pre>
    </div>
  );
}
