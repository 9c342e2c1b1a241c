/**
 * The Content-Encoding to store: without `aws-chunked`, which is the framing of the request. null: none
 * is left.
 */
export function storedContentEncoding(header: string | null): string | null {
  const encodings = (header ?? "").split(",").map((each) => each.trim());
  const kept = encodings.filter((each) => each !== "" && each.toLowerCase() !== "aws-chunked");
  return kept.length === 0 ? null : kept.join(", ");
}
