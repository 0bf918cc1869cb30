/**
 * Ends the emulator, and removes its temporary folder, when the service has ended by any signal: the end of the service closes
 * this process's standard input. Each line of the input is the emulator's process id.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const temporaryFolder = process.argv[2];
let emulator = 0;

createInterface({ input: process.stdin })
  .on('line', (line) => (emulator = Number(line)))
  .on('close', () => {
    try {
      if (emulator > 0) process.kill(emulator, 'SIGKILL');
    } catch {
      // It has already ended.
    }
    if (temporaryFolder !== undefined)
      rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5 });
  });
