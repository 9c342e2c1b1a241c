import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Reachable } from "./client.ts";

export type Version = "2025-11-25" | "2026-07-28";

const toolResult = z.object({
  structuredContent: z.record(z.string(), z.unknown()),
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  isError: z.boolean().optional(),
});
const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export interface Agent {
  readonly client: Client;
  tools(): Promise<string[]>;
  /** The data of a successful call; throws if the tool has failed. */
  use<Shape extends z.ZodType>(name: string, given: object, shape: Shape): Promise<z.output<Shape>>;
  /** The code and the message of a call that fails. */
  refused(name: string, given: object): Promise<{ code: string; message: string }>;
  close(): Promise<void>;
}

/** The official client, with a key and one version of the protocol. */
export async function connectAgent(
  server: Reachable,
  version: Version,
  headers: Readonly<Record<string, string>> = { "API-Key": server.apiKey },
): Promise<Agent> {
  const client = new Client(
    { name: "test-agent", version: "1.0.0" },
    {
      supportedProtocolVersions: [version],
      versionNegotiation: { mode: version === "2026-07-28" ? { pin: version } : "legacy" },
    },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }),
  );

  async function call(name: string, given: object) {
    const result = toolResult.parse(
      await client.callTool({ name, arguments: Object.fromEntries(Object.entries(given)) }),
    );
    const [{ text }] = result.content;
    if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(result.structuredContent)) {
      throw new Error("The text and the structured content differ.");
    }
    return result;
  }

  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async use(name, given, shape) {
      const { isError, structuredContent } = await call(name, given);
      if (isError === true) throw new Error(JSON.stringify(structuredContent));
      return shape.parse(structuredContent);
    },
    async refused(name, given) {
      const { isError, structuredContent } = await call(name, given);
      if (isError !== true) throw new Error(`${name} did not fail.`);
      return failure.parse(structuredContent).error;
    },
    close: () => client.close(),
  };
}
