import { useEffect, useRef } from "react";
import type { CreatedWebhook } from "../../../../sdk/src/webhooks-only.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";

export interface NewSecretCardProps {
  readonly created: CreatedWebhook;
  readonly onDone: () => void;
}

/** Shows a new secret, once, with an example of its use. */
export function NewSecretCard({ created: { webhook, secret }, onDone }: NewSecretCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      aria-labelledby="new-secret"
      className="flex flex-col gap-4 rounded-lg border border-accent-line bg-accent-soft p-5"
    >
      <div>
        <h2
          id="new-secret"
          ref={heading}
          tabIndex={-1}
          className="break-words font-semibold text-lg outline-none"
        >
          The secret of {webhook.name}
        </h2>
        <p className="text-muted">
          Your app checks with it that a delivery comes from here. Copy it now. You won't be able to
          see it again.
        </p>
      </div>
      <CodeBlock label="Secret" code={secret} />
      <CodeBlock label="Receiver" code={EXAMPLE} />
      <div>
        <Button onClick={onDone}>I've saved it</Button>
      </div>
    </section>
  );
}

const EXAMPLE = `// @holdall/sdk is not on the npm registry yet: /docs says how to install it.
import { verifyWebhook } from "@holdall/sdk/webhooks";

export async function POST(request) {
  const { type, data } = await verifyWebhook(
    await request.text(), request.headers, process.env.HOLDALL_WEBHOOK_SECRET);
  if (type === "file.created") console.log(data.key);
  return new Response();
}`;
