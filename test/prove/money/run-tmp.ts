import { proveMoney } from './prove-money.ts';
const [seed, n] = process.argv.slice(2).map(Number);
const r = await proveMoney({ histories: n ?? 500, seed: seed ?? 2027 });
console.log(r.histories, Math.round(r.ms/1000), JSON.stringify(r.counts));
if (r.failure) { console.log(r.failure.history, r.failure.problems.join('\n')); console.log(r.failure.lines.join('\n')); process.exitCode = 1; }
