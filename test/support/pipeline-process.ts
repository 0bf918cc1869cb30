/** The pipeline in a child process, to be killed; it appends each consumed id to a file. */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { idsIn, startChain } from './pipeline.ts';

const [streamArn = '', dataDir = '', notes = ''] = process.argv.slice(2);
const chain = await startChain({ table: { streamArn }, dataDir, log: (line) => console.error(line) });
chain.consume('letters', async (event) => {
  // Slow enough that messages are waiting at the kill.
  await sleep(20);
  appendFileSync(notes, `${idsIn(event).join('\n')}\n`);
});
console.log('up');
