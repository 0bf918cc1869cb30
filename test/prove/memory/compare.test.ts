import { expect, it } from 'vitest';
import { tableEndpoint } from '../../support/aws-env.ts';
import { compareHistories } from './compare.ts';
import { dynoxide, openEngine } from './engines.ts';

it(
  'the simulated table answers 150 random histories as the embedded table does, errors and old items included',
  { timeout: 60_000 },
  async () => {
    const backend = await openEngine(tableEndpoint());
    const histories = { histories: 150, length: 30, seed: 20270115 };
    const { differences, ...seen } = await compareHistories({ engine: dynoxide, backend, ...histories });
    backend.close();
    expect(differences).toEqual([]);
    expect(seen.commands).toBe(4500);
    expect(seen.rejected / seen.commands).toBeGreaterThan(0.2);
    expect(seen.rejected / seen.commands).toBeLessThan(0.6);
  },
);
