/** What the second worker can do: what needs densify's second wasm file, which is fetched when it is first asked for. */
export interface SummaryApi {
  redact(texts: readonly string[]): readonly string[];
}
