import type { Item } from '../../memory/values.ts';

interface Announced {
  event_type: string;
  data: { id: number; master_reservation_id?: number };
}

interface Stay {
  reservation_id: number;
  state: string;
}

interface Refund {
  payment_id: number;
  state: string;
  reservation_ids: number[];
}

const of = <Type>(items: readonly Item[], entity: string): Type[] =>
  items.filter((item) => item['entity'] === entity) as Type[];

/** Steps that a stay takes once. */
const once = [
  'booking.created',
  'booking.confirmed',
  'booking.cancelled',
  'booking.checked_in',
  'booking.checked_out',
  'booking.completed',
];

/** Each step of a stay and each refund is announced by one event. */
export const announcementProblems = (items: readonly Item[]): string[] => {
  const events = of<Announced>(items, 'Event');
  const ofStay = Map.groupBy(events, ({ event_type, data }) => `${event_type} ${data.id}`);
  return [
    ...of<Stay>(items, 'Reservation').flatMap(({ reservation_id, state }) => [
      ...once
        .filter((type) => (ofStay.get(`${type} ${reservation_id}`)?.length ?? 0) > 1)
        .map(
          (type) => `stay ${reservation_id} has ${ofStay.get(`${type} ${reservation_id}`)?.length} ${type}`,
        ),
      ...(state === 'CANCELLED' && !ofStay.has(`booking.cancelled ${reservation_id}`)
        ? [`stay ${reservation_id} is CANCELLED, and no event says so`]
        : []),
    ]),
    ...refundProblems(items, events),
  ];
};

/** Orders are multiples of 16; the ids of their stays and payments follow. */
const orderOf = (id: number): number => id - (id % 16);

/** The refunds through the gateway of each order have as many events. */
const refundProblems = (items: readonly Item[], events: readonly Announced[]): string[] => {
  const refunds = Map.groupBy(of<Refund>(items, 'PaymentRefund'), ({ payment_id }) => orderOf(payment_id));
  const announced = Map.groupBy(
    events.filter(({ event_type }) => event_type === 'payment.refunded'),
    ({ data }) => orderOf(data.master_reservation_id ?? data.id),
  );
  return [...refunds].flatMap(([order, all]) => {
    const wanted = all
      .filter(({ state }) => state === 'DONE')
      .reduce((sum, { reservation_ids }) => sum + Math.max(1, reservation_ids.length), 0);
    const found = announced.get(order)?.length ?? 0;
    return found === wanted ? [] : [`order ${order} has ${found} events of ${wanted} refunds`];
  });
};
