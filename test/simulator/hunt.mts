import { historyOf } from './histories.ts';
import { judge, storyOf } from './story.ts';
const [from, to, show] = process.argv.slice(2).map(Number) as [number, number, number];
const kinds = new Map<string, number[]>();
const began = Date.now();
let runs = 0, changes = 0;
for (let seed = from; seed < to; seed++) {
  let v; try { v = judge(historyOf(seed)); } catch (e) { v = { broken: 'CRASH ' + (e as Error).stack?.split('\n').slice(0,3).join(' '), runs:0, changes:0 }; }
  runs += v.runs; changes += v.changes;
  if (v.broken === null) continue;
  const rule = v.broken.replace(/\d+/g, '').replace(/"[^"]*"/g, '').replace(/flink|spark/g, '').slice(0, 110);
  kinds.set(rule, [...(kinds.get(rule) ?? []), seed]);
}
console.log(to - from, 'histories', runs, 'runs', changes, 'changes', Date.now() - began, 'ms');
for (const [rule, seeds] of [...kinds].sort((a, b) => b[1].length - a[1].length)) console.log(seeds.length, rule, seeds.slice(0, 5).join(' '));
let n = 0;
for (const [, seeds] of [...kinds].sort((a, b) => b[1].length - a[1].length)) { if (n++ >= show) break; 
  const best = seeds.slice(0, 4).map((s) => storyOf(s, historyOf(s))).sort((a, b) => a.length - b.length)[0]; console.log('\n' + best); }
