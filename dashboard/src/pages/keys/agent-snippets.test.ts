import { expect, test } from "bun:test";
import { AGENT_CLIENTS } from "./agent-snippets.ts";

const access = { siteUrl: "https://files.example.com/base", secret: "hd_secret" };

test("every client gets the URL and the key", () => {
  for (const snippet of Object.values(AGENT_CLIENTS)) {
    const { code } = snippet(access);
    expect(code).toContain("https://files.example.com/base/mcp");
    expect(code).toContain("hd_secret");
  }
});

test("all but the shell command are JSON", () => {
  const { "Claude Code": shell, ...others } = AGENT_CLIENTS;
  for (const snippet of Object.values(others)) JSON.parse(snippet(access).code);
  expect(shell(access).code).toStartWith("claude mcp add --transport http holdall ");
});

test("only a site without TLS needs leave for it", () => {
  const { "Claude Desktop": snippet } = AGENT_CLIENTS;
  expect(snippet(access).code).not.toContain("--allow-http");
  expect(snippet({ ...access, siteUrl: "http://nas.local" }).code).toContain("--allow-http");
});
