import { expect, it } from 'vitest';
import type { Sent } from '../service/client.ts';
import { type Family, linearProblems } from './problems.ts';
import { withRestored } from './service-restored.ts';

const at = Date.parse('2027-01-15T03:00:00Z');
const minuteMs = 60_000;
const sent = { begin: 0, end: 1, since: at, by: at + 100 } as Sent;

const refused: Family = {
  name: '20',
  parents: { '20': null },
  calls: [
    {
      ...{ name: 'an', begin: 2, end: 3 },
      asked: {
        ...{ who: 'an', since: at + 2 * minuteMs, by: at + 2 * minuteMs + 100, did: 'find taken' },
        places: [{ home: '20', from: 38 * 24 + 14, to: 39 * 24 + 12 }],
      },
    },
  ],
};
const later = { begin: 4, end: 5, since: at + 4 * minuteMs, by: at + 4 * minuteMs + 100 } as Sent;

const restored = (minutes: number, listing_id = 20) => ({
  ...{ entity: 'Event', event_type: 'booking.restored' },
  occurred_at: new Date(at + minutes * minuteMs).toISOString(),
  data: { id: 17, listing_id, check_in_date: '2027-02-08', check_out_date: '2027-02-09' },
});
const problems = (...items: object[]): string[] =>
  linearProblems(withRestored([refused], [sent, later], items as never));

it('explains a refusal by a stay that a late transfer has restored before', () => {
  expect(problems(restored(1))).toEqual([]);
});

it('does not explain one by a stay of another home, or one that was restored later', () => {
  expect(problems()).toHaveLength(1);
  expect(problems(restored(1, 30))).toHaveLength(1);
  expect(problems(restored(5))).toHaveLength(1);
});
