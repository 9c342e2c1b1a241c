import { useMemo } from "react";
import { Highlighted } from "./highlighted.tsx";

export interface CodeViewProps {
  readonly text: string;
  readonly language: string;
  /** Breaks long lines. Then there are no line numbers. */
  readonly wrap: boolean;
}

/** Code with line numbers, which are excluded from copying. */
export function CodeView({ text, language, wrap }: CodeViewProps) {
  const numbers = useMemo(() => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return Array.from({ length: Math.max(1, lines) }, (_, at) => at + 1).join("\n");
  }, [text]);
  return (
    <div className="flex min-w-full py-4 font-mono text-sm leading-5">
      {!wrap && (
        <pre
          aria-hidden
          className="sticky left-0 flex-none select-none border-line border-r bg-canvas pr-3 pl-4 text-right text-muted"
        >
          {numbers}
        </pre>
      )}
      <pre
        className={`flex-1 px-4 ${wrap ? "min-w-0 whitespace-pre-wrap break-words" : ""}`}
        style={{ tabSize: 4 }}
      >
        <code>
          <Highlighted text={text} language={language} />
        </code>
      </pre>
    </div>
  );
}
