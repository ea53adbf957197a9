// What models of the AI SDK answer, as its own mocks give it.

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export const answer = (content: object[], reason: string) => ({
  content,
  finishReason: { unified: reason, raw: reason },
  usage,
  warnings: [],
});
