import type { Item } from '../../memory/values.ts';

interface Announced {
  event_type: string;
  data: { id: number; master_reservation_id?: number; payment_transaction_id?: string | null };
}

interface Stay {
  reservation_id: number;
  state: string;
}

interface Order {
  order_id: number;
  items: { team_id: number }[];
}

interface Refund {
  payment_id: number;
  state: string;
  reservation_ids: number[];
}

interface Payment {
  payment_id: number;
  /** The stay whose change, or what is due of it, it pays. */
  change_of?: number;
  due_of?: number;
}

const of = <Type>(items: readonly Item[], entity: string): Type[] =>
  items.filter((item) => item['entity'] === entity) as Type[];

/** Steps that a stay takes once. */
const once = [
  'booking.created',
  'booking.confirmed',
  'booking.declined',
  'booking.cancelled',
  'booking.checked_out',
  'booking.completed',
  'booking.no_show',
];

/** The events of which one says that a stay is in a state. */
const saying: Record<string, readonly string[]> = {
  CANCELLED: ['booking.cancelled', 'booking.declined'],
  NO_SHOW: ['booking.no_show'],
};

/** Each step of a stay and each refund is announced by one event. */
export const announcementProblems = (items: readonly Item[]): string[] => {
  const events = of<Announced>(items, 'Event');
  const ofStay = Map.groupBy(events, ({ event_type, data }) => `${event_type} ${data.id}`);
  const mostOf = (type: string, id: number): number =>
    type === 'booking.cancelled' ? 1 + (ofStay.get(`booking.restored ${id}`)?.length ?? 0) : 1;
  return [
    ...of<Stay>(items, 'Reservation').flatMap(({ reservation_id, state }) => [
      ...once
        .filter(
          (type) => (ofStay.get(`${type} ${reservation_id}`)?.length ?? 0) > mostOf(type, reservation_id),
        )
        .map(
          (type) => `stay ${reservation_id} has ${ofStay.get(`${type} ${reservation_id}`)?.length} ${type}`,
        ),
      ...saidProblems(reservation_id, state, (type) => ofStay.get(`${type} ${reservation_id}`)?.length ?? 0),
    ]),
    ...refundProblems(items, events),
  ];
};

/** A stay has fallen through by one event, and is checked in as often as it was not undone. */
const saidProblems = (id: number, state: string, said: (type: string) => number): string[] => {
  const types = saying[state];
  // What was restored by a late transfer may be cancelled again.
  const again = state === 'CANCELLED' ? said('booking.restored') : 0;
  const times = (types ?? []).reduce((sum, type) => sum + said(type), 0) - again;
  const arrivals = said('booking.checked_in') - said('booking.check_in_undone');
  return [
    ...(types && times === 0 ? [`stay ${id} is ${state}, and no event says so`] : []),
    ...(types && times > 1 ? [`stay ${id} is ${state}, and ${times} events say so`] : []),
    ...(arrivals < 0 || arrivals > 1 ? [`stay ${id} was checked in ${arrivals} times`] : []),
  ];
};

/** Orders are multiples of 16; the ids of their stays and payments follow. */
const orderOf = (id: number): number => id - (id % 16);

/** The refunds through the gateway of each order have as many events; those of a change are of the order of its stay. */
const refundProblems = (items: readonly Item[], events: readonly Announced[]): string[] => {
  const changed = new Map(
    of<Payment>(items, 'Payment').flatMap(({ payment_id, change_of, due_of = change_of }) =>
      due_of === undefined ? [] : [[payment_id, due_of]],
    ),
  );
  const refunds = Map.groupBy(of<Refund>(items, 'PaymentRefund'), ({ payment_id }) =>
    orderOf(changed.get(payment_id) ?? payment_id),
  );
  const announced = Map.groupBy(
    // What another than the gateway has collected is refunded without it.
    events.filter(
      ({ event_type, data }) => event_type === 'payment.refunded' && data.payment_transaction_id !== null,
    ),
    ({ data }) => orderOf(data.master_reservation_id ?? data.id),
  );
  const orders = new Map(of<Order>(items, 'Order').map((one) => [one.order_id, one.items]));
  const teamsOf = (order: number): number =>
    new Set(orders.get(order)?.map(({ team_id }) => team_id)).size || 1;
  return [...refunds].flatMap(([order, all]) => {
    const wanted = all
      .filter(({ state }) => state === 'DONE')
      // A refund of no stay is announced to each team of the order, that of a change to the team of its stay.
      .reduce(
        (sum, { reservation_ids, payment_id }) =>
          sum + (reservation_ids.length || (changed.has(payment_id) ? 1 : teamsOf(order))),
        0,
      );
    const found = announced.get(order)?.length ?? 0;
    return found === wanted ? [] : [`order ${order} has ${found} events of ${wanted} refunds`];
  });
};
