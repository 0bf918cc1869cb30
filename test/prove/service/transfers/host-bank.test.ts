import { expect, it } from 'vitest';
import { Simulation } from '../simulation.ts';
import type { Weather } from '../weather.ts';
import { HostBank, keyName } from './host-bank.ts';

const hourMs = 3_600_000;

it('a report that is refused comes again until after the next night, in which its key is renewed', async () => {
  const sim = new Simulation(1);
  const bank = new HostBank(sim, { happens: () => false } as unknown as Weather);
  bank.keys.set(keyName(7, 'standard'), 'whsec_bmlnaHRsYXRjaG5pZ2h0bGF0Y2hu');
  const start = sim.now();
  bank.report = async () => ({ status: sim.now() < start + 25 * hourMs ? 401 : 200 });
  bank.take({ team: 7, account: '0071', amount: 100, text: 'tien phong', kind: 'in' });
  await sim.runUntil(start + 24 * hourMs);
  expect(bank.transactions[0]).toMatchObject({ isTaken: false });
  await sim.runUntil(start + 26 * hourMs);
  expect(bank.transactions[0]).toMatchObject({ isTaken: true });
});
