import { beforeEach, describe, expect, it } from 'vitest';
import { recallDue, recallHolds } from '../../infra/local/table/index.ts';
import {
  type DueBooking,
  DueBookingEntity,
  dueBookings,
} from '../../shared/domain/booking/due-booking.store.ts';
import { CalendarMonthEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { type DueMail, DueMailEntity, dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { DuePaymentEntity, duePayments } from '../../shared/domain/payment/payment.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { clearList, waitingIn } from '../support/due.ts';
import { freshId, testDependencies, type TestDependencies } from '../support/table.ts';

const hour = 3_600_000;
const day = 24 * hour;

let deps: TestDependencies;
let now: number;
beforeEach(async () => {
  deps = await testDependencies();
  now = deps.clock.now();
  await clearList(deps.table, dueBookings);
  await clearList(deps.table, dueMails);
  await clearList(deps.table, duePayments);
});

describe('after the clock was turned back', () => {
  it('what was put off is due, and what has a time of its own keeps it', async () => {
    const far = now + 1000 * day;
    const bookings: DueBooking[] = [
      { reservation_id: 1, due_at: far },
      { reservation_id: 2, due_at: far, attempts: 2 },
      { reservation_id: 3, due_at: now + hour, attempts: 2 },
    ];
    const mails: DueMail[] = [
      { id: 1, kind: 'reminder', due_at: far },
      { id: 2, kind: 'reminder', due_at: far, attempts: 1 },
      { id: 3, kind: 'messages', due_at: far },
      { id: 4, kind: 'event', due_at: now + day },
    ];
    const payments = [
      { payment_id: 16, due_at: far },
      { payment_id: 32, due_at: now + 5 * 60_000 },
    ];
    for (const one of bookings) await deps.table.put(put(DueBookingEntity, one));
    for (const one of mails) await deps.table.put(put(DueMailEntity, one));
    for (const one of payments) await deps.table.put(put(DuePaymentEntity, one));
    expect(await recallDue(deps)).toBe(4);
    const timesOf = (items: readonly { due_at: number }[]) => items.map(({ due_at }) => due_at - now);
    expect((await waitingIn(deps.table, dueBookings)).map(({ reservation_id }) => reservation_id)).toEqual([
      2, 3, 1,
    ]);
    expect(timesOf(await waitingIn(deps.table, dueBookings))).toEqual([0, hour, 1000 * day]);
    expect(timesOf(await waitingIn(deps.table, dueMails))).toEqual([0, 0, day, 1000 * day]);
    expect(timesOf(await waitingIn(deps.table, duePayments))).toEqual([0, 5 * 60_000]);
    expect(await recallDue(deps)).toBe(0);
  });

  it.each([
    [1, 1],
    [-1, undefined],
  ])(
    'a month whose soft locks had expired by then (%d days) lets new ones be confirmed',
    async (ago, left) => {
      const id = freshId();
      const ids = { calendar_id: id, listing_id: id, month: '2027-02' };
      const expired_by = now - ago * day;
      const month = { ...ids, days: {}, locks: {}, changes: {}, child_changes: {}, expired_by };
      await deps.table.put(put(CalendarMonthEntity, month));
      await recallHolds(deps, async () => [{ ...month, entity: CalendarMonthEntity.name }]);
      const found = await deps.table.get(CalendarMonthEntity, ids);
      expect(found?.expired_by).toBe(left === undefined ? undefined : expired_by);
    },
  );
});
