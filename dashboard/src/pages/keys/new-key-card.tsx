import { useEffect, useRef } from "react";
import type { NewKey } from "../../../../sdk/src/holdall.ts";
import { basePath } from "../../app/navigation/location.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { useFolderVisibility } from "../files/data/use-folder-visibility.ts";
import { AgentSetup } from "./agent-setup.tsx";
import { exampleCommand } from "./example-command.ts";

/** "rotated": the key existed before, and has a new secret. */
export type NewKeyKind = "new" | "agent" | "rotated";

export interface NewKeyCardProps {
  readonly created: NewKey;
  readonly kind: NewKeyKind;
  readonly onDone: () => void;
}

/** Shows a new secret, once, with an example of its use. */
export function NewKeyCard({ created: { key, secret }, kind, onDone }: NewKeyCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const siteUrl = location.origin + basePath;
  const visibility = useFolderVisibility(key.folder?.key ?? "").data?.folder.effectiveVisibility;
  const example = visibility && exampleCommand(key, secret, siteUrl, visibility);
  return (
    <section
      aria-labelledby="new-key"
      className="flex flex-col gap-4 rounded-lg border border-accent-line bg-accent-soft p-5"
    >
      <div>
        <h2
          id="new-key"
          ref={heading}
          tabIndex={-1}
          className="break-words font-semibold text-lg outline-none"
        >
          {kind === "rotated" ? "The new secret of" : "Your new key:"} {key.name}
        </h2>
        <p className="text-muted">Copy it now. You won't be able to see it again.</p>
      </div>
      <CodeBlock label="API key" code={secret} />
      {kind === "agent" ? (
        <AgentSetup siteUrl={siteUrl} secret={secret} />
      ) : (
        example && <CodeBlock {...example} />
      )}
      <div>
        <Button onClick={onDone}>I've saved it</Button>
      </div>
    </section>
  );
}
