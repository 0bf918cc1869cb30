import type { Item } from '../../memory/values.ts';
import type { Cloud } from '../cloud.ts';

const minuteMs = 60_000;
/** Due work is done by the next run of its schedule; one more is allowed. */
const lateMs = 11 * minuteMs;

const due = new Set(['DueBooking', 'DuePayment', 'DueMail']);

/** What is not done although its time has come. */
export const stuckProblems = (items: readonly Item[], cloud: Cloud, now: number): string[] => [
  ...[...cloud.queues].flatMap(([name, queue]) => {
    const [waiting, dead] = [queue.overdue(now - lateMs), queue.deadLetters.length];
    return [
      ...(waiting > 0 ? [`${waiting} messages wait in ${name}`] : []),
      ...(dead > 0 ? [`${dead} dead letters of ${name}`] : []),
    ];
  }),
  ...items.flatMap((item) => {
    const problem = stuck(item, now);
    return problem === undefined ? [] : [problem];
  }),
];

/** A day after a local time, in the zone of the listings. */
const dayAfter = (local: string): number => Date.parse(`${local}+07:00`) + 24 * 60 * minuteMs;

const stuck = (item: Item, now: number): string | undefined => {
  const entity = String(item['entity']);
  const isPast = (instant: unknown): boolean => typeof instant === 'number' && instant < now - lateMs;
  const name = `${entity} ${String(item['pk'])} ${String(item['sk'])}`;
  if (due.has(entity) && isPast(item['due_at'])) return `${name} is due since ${String(item['due_at'])}`;
  if (entity === 'Order' && item['state'] === 'CHARGING') return `${name} is still being charged`;
  if (entity === 'Payment' && ['CHARGING', 'CAPTURING'].includes(String(item['state'])))
    return `${name} is still ${String(item['state'])}`;
  if (entity === 'Payment' && item['state'] === 'OPEN' && isPast(item['ends_at']))
    return `${name} is open after its end`;
  if (entity === 'PaymentRefund' && item['state'] !== 'DONE') return `${name} is ${String(item['state'])}`;
  const waits =
    item['payment_status'] === 'PENDING' && ['PENDING', 'CONFIRMED'].includes(String(item['state']));
  if (entity === 'Reservation' && waits && isPast(item['pay_until']))
    return `${name} waits for money after its window`;
  const isOpen = ['CONFIRMED', 'CHECKED_IN'].includes(String(item['state']));
  if (entity === 'Reservation' && isOpen && isPast(dayAfter(String(item['end_at']))))
    return `${name} is ${String(item['state'])} a day after its end`;
  return undefined;
};
