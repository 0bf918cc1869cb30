/**
 * Runs beside the service and outlives it by a moment: when the service is gone, by whatever signal, its end of our
 * standard input closes, and the emulator and its temporary folder go too. Each line on the input is a process id.
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
      // it has ended already
    }
    if (temporaryFolder !== undefined)
      rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5 });
  });
