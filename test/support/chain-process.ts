/** The chain in a process of its own, to be killed: notes each consumed id in a file. */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { idsIn, startChain } from './plumbing.ts';

const [streamArn = '', dataDir = '', notes = ''] = process.argv.slice(2);
const chain = await startChain({ table: { streamArn }, dataDir, log: (line) => console.error(line) });
chain.consume('letters', async (event) => {
  // Slow enough that messages always wait when the kill comes.
  await sleep(20);
  appendFileSync(notes, `${idsIn(event).join('\n')}\n`);
});
console.log('up');
