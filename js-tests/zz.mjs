// zz.mts
import { createOptimizer } from "densify";

// support/say.ts
function human(...blocks) {
  return { speaker: "human", blocks: blocks.map(block) };
}
function ai(...blocks) {
  return { speaker: "ai", blocks: blocks.map(block) };
}
function tool(...blocks) {
  return { speaker: "tool", blocks: [...blocks] };
}
function block(content) {
  return typeof content === "string" ? { type: "text", text: content } : content;
}
function call(id, name, parameters = {}) {
  return { type: "tool_call", id, name, parameters };
}
function response(callId, toolName, result, error) {
  const answer = { type: "tool_response", callId, toolName, result };
  return error === void 0 ? answer : { ...answer, error };
}
function turn(id, name, parameters, result, error) {
  return [ai(call(id, name, parameters)), tool(response(id, name, result, error))];
}
var read = (id, path, result = `content of ${path}`) => turn(id, "read_file", { file_path: path }, result);
var write = (id, path, error) => turn(id, "write_file", { file_path: path, content: "new" }, "written", error);
var inclusion = (path, content) => `--- ${path} ---
${content}
--- End of content ---
`;

// zz.mts
var turns = Array.from({ length: 6 }, (_, at) => [
  human(`${inclusion("notes.md", `version ${at}`)}go on`),
  ...read(`r${at}`, "src/a.ts", "x".repeat(50)),
  ...turn(`g${at}`, "glob", {}, "y".repeat(99)),
  ...write(`w${at}`, "src/a.ts")
]);
var left = Infinity;
var o = createOptimizer({ protect: () => {
  if (--left < 0) throw new Error("x");
  return false;
}, recencyPruning: true, recencyRetention: 1 });
for (let k = 1; k <= 3; k++) {
  const whole = turns.slice(0, k).flat();
  for (let n = 0; ; n++) {
    left = n;
    try {
      const r = o.optimize(whole);
      left = Infinity;
      console.log(k, n, JSON.stringify(r.edits.map((e) => [e.index, e.kind, e.rule])));
      break;
    } catch (e) {
      left = Infinity;
      console.log(k, n, e.message, e.index, o.bytes);
    }
  }
}
