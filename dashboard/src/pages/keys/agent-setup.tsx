import { useState } from "react";
import { CodeBlock } from "../../components/code-block.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { AGENT_CLIENTS, type AgentAccess, type AgentClient } from "./agent-snippets.ts";

const isClient = (name: string): name is AgentClient => Object.hasOwn(AGENT_CLIENTS, name);

/** How an agent is set up with a new key. */
export function AgentSetup(access: AgentAccess) {
  const [client, setClient] = useState<AgentClient>("Claude Code");
  return (
    <>
      <SelectField
        label="Client"
        hint="The key is in it: share it with nobody, and keep it out of repositories."
        value={client}
        options={Object.keys(AGENT_CLIENTS).map((name) => ({ value: name, label: name }))}
        onChange={(name) => {
          if (isClient(name)) setClient(name);
        }}
      />
      <CodeBlock {...AGENT_CLIENTS[client](access)} />
    </>
  );
}
