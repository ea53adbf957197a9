import { createOptimizer, type IContent } from 'densify';
import { human, inclusion, read, turn, write } from './support/say.ts';
const turns = Array.from({ length: 6 }, (_, at) => [
  human(`${inclusion('notes.md', `version ${at}`)}go on`),
  ...read(`r${at}`, 'src/a.ts', 'x'.repeat(50)),
  ...turn(`g${at}`, 'glob', {}, 'y'.repeat(99)),
  ...write(`w${at}`, 'src/a.ts'),
]);
let left = Infinity;
const o = createOptimizer<IContent>({ protect: () => { if (--left < 0) throw new Error('x'); return false; }, recencyPruning:true, recencyRetention:1 });
for (let k=1;k<=3;k++) {
  const whole = turns.slice(0,k).flat();
  for (let n=0;;n++) { left = n; try { const r = o.optimize(whole); left=Infinity; console.log(k, n, JSON.stringify(r.edits.map(e=>[e.index,e.kind,e.rule]))); break; } catch (e) { left=Infinity; console.log(k,n,(e as Error).message, (e as any).index, o.bytes) } }
}
