import { expect, it } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { webhookWorker } from '../../functions/workers/webhook/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { bookStay, eventScene, eventsOf, queueEvent } from '../support/events.ts';

const count = 60;
const batchSize = 10;

/** What each consumer of a booking takes, in batches of ten: read and write units. */
const budgets = {
  notification: { rcu: 1.7, wcu: 5 },
  chat: { rcu: 1, wcu: 3 },
  ical: { rcu: 1.3, wcu: 0.2 },
  webhook: { rcu: 0.2, wcu: 3.3 },
  'search-index': { rcu: 0.7, wcu: 1.7 },
  'list-index': { rcu: 7.3, wcu: 1.8 },
};
const all = { rcu: 11.8, wcu: 14.6 };

it.runIf(countsUnits)('what follows a booking stays in its budget, by consumer and whole', async () => {
  const s = await eventScene();
  const { table, cost } = measuredTable(s.deps.table);
  const deps = { ...s.deps, table, mailer: { send: async () => undefined } };
  const workers = {
    notification: notificationWorker(() => deps),
    chat: chatWorker(() => deps),
    ical: icalWorker(() => deps),
    webhook: webhookWorker(() => deps as never),
    'search-index': searchIndexWorker(() => deps),
    'list-index': listIndexWorker(() => deps),
  };
  const listening = subscriptions.filter(({ event_types }) =>
    event_types.some((type) => type === 'booking.created'),
  );
  expect(listening.map(({ consumer }) => consumer).sort()).toEqual(Object.keys(budgets).sort());

  const events = [];
  for (let at = 0; at < count; at++) {
    const check_in_date = addDays('2027-02-01', at * 3);
    const dates = { check_in_date, check_out_date: addDays(check_in_date, 2) };
    const { booking_id } = await bookStay(s.asGuest, { listing_id: s.listing.id, ...dates });
    events.push(...(await eventsOf(s.deps.table, `ORDER#${orderIdOf(booking_id)}`)));
  }
  expect(events).toHaveLength(count);

  const sum = { rcu: 0, wcu: 0 };
  for (const [consumer, budget] of Object.entries(budgets)) {
    const spent = { rcu: 0, wcu: 0 };
    for (let at = 0; at < count; at += batchSize) {
      const batch = queueEvent(...events.slice(at, at + batchSize));
      const { rcu, wcu } = await cost(async () => {
        const answer = await workers[consumer as keyof typeof workers](batch);
        expect(answer.batchItemFailures).toEqual([]);
      });
      spent.rcu += rcu / count;
      spent.wcu += wcu / count;
    }
    expect(spent.rcu, `read units of ${consumer}`).toBeLessThanOrEqual(budget.rcu);
    expect(spent.wcu, `write units of ${consumer}`).toBeLessThanOrEqual(budget.wcu);
    sum.rcu += spent.rcu;
    sum.wcu += spent.wcu;
  }
  expect(sum.rcu).toBeLessThanOrEqual(all.rcu);
  expect(sum.wcu).toBeLessThanOrEqual(all.wcu);
});
