// As bundled.mjs, for pages that fetch the wasm files: says, too, how many of them were compiled while they arrived.
import * as parts from '../parts.mjs';
import { probe } from '../probe.mjs';

const { compileStreaming } = WebAssembly;
let streamed = 0;
WebAssembly.compileStreaming = (response) => {
  streamed += 1;
  return compileStreaming(response);
};
const { densify } = parts;
const early = (() => {
  try {
    densify.optimize([]);
  } catch ({ code, message }) {
    return `${code}: ${message}`;
  }
})();
Promise.all([densify.init(), densify.initConversations()])
  .then(() => probe(parts))
  .then((said) => console.log(JSON.stringify({ early, streamed, said })));
