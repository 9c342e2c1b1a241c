import { Fault } from "../../domain/faults/fault.ts";

/**
 * Reads the text of a form field. Faults: "too_large" if it has more than `maxBytes`, "invalid" if it is
 * not UTF-8.
 */
export async function readText(
  field: { readonly name: string; readonly body: AsyncIterable<Uint8Array> },
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of field.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new Fault(
        "too_large",
        `The field \`${truncateName(field.name)}\` has more than ${maxBytes} bytes.`,
      );
    }
    // A copy: a chunk is valid only until the next is requested.
    chunks.push(Uint8Array.from(chunk));
  }
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new Fault("invalid", `The field \`${truncateName(field.name)}\` must be UTF-8 text.`, {
      cause,
    });
  }
}

/** Shortens long names for messages. */
function truncateName(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name;
}
