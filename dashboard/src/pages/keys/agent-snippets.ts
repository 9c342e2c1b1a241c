import { quote } from "../../../../contract/text/quote-shell.ts";
import type { Snippet } from "./s3-snippets.ts";

export interface AgentAccess {
  /** The URL of the site, without a trailing slash. */
  readonly siteUrl: string;
  readonly secret: string;
}

/** How each client of the Model Context Protocol is set up for a key, by the client's name. */
export const AGENT_CLIENTS = {
  "Claude Code": claudeCode,
  "Claude Desktop": claudeDesktop,
  Cursor: cursor,
  "VS Code": vsCode,
  Others: others,
} as const satisfies Record<string, (access: AgentAccess) => Snippet>;

export type AgentClient = keyof typeof AGENT_CLIENTS;

const urlOf = ({ siteUrl }: AgentAccess): string => `${siteUrl}/mcp`;
const bearer = ({ secret }: AgentAccess): string => `Bearer ${secret}`;
const json = (value: object): string => JSON.stringify(value, null, 2);

function claudeCode(access: AgentAccess): Snippet {
  const header = quote(`Authorization: ${bearer(access)}`);
  return {
    label: "In a shell",
    code: `claude mcp add --transport http holdall ${urlOf(access)} \\\n  --header ${header}`,
  };
}

/** It starts programs only, so one that passes messages on is between. */
function claudeDesktop(access: AgentAccess): Snippet {
  const url = urlOf(access);
  const isPlain = url.startsWith("http:");
  return {
    label: "claude_desktop_config.json",
    code: json({
      mcpServers: {
        holdall: {
          command: "npx",
          args: [
            ...["-y", "mcp-remote", url, "--header", `Authorization:\${HOLDALL_AUTHORIZATION}`],
            ...(isPlain ? ["--allow-http"] : []),
          ],
          // A space in an argument is lost on Windows.
          env: { HOLDALL_AUTHORIZATION: bearer(access) },
        },
      },
    }),
  };
}

function cursor(access: AgentAccess): Snippet {
  const headers = { Authorization: bearer(access) };
  return {
    label: "~/.cursor/mcp.json",
    code: json({ mcpServers: { holdall: { url: urlOf(access), headers } } }),
  };
}

function vsCode(access: AgentAccess): Snippet {
  const headers = { Authorization: bearer(access) };
  return {
    label: ".vscode/mcp.json",
    code: json({ servers: { holdall: { type: "http", url: urlOf(access), headers } } }),
  };
}

function others(access: AgentAccess): Snippet {
  const headers = { "API-Key": access.secret };
  return {
    label: "JSON",
    code: json({ mcpServers: { holdall: { type: "http", url: urlOf(access), headers } } }),
  };
}
