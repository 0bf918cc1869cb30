import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { declineBooking } from '../../shared/domain/booking/decline-booking.ts';
import { scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import { markNoShow } from '../../shared/domain/booking/mark-no-show.ts';
import { releaseAccess } from '../../shared/domain/booking/release-access.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { createReview } from '../../shared/domain/listing/reviews.ts';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import type { PublicEvent } from '../../shared/domain/webhook/partner-event.schema.ts';
import { publicEventTypes } from '../../shared/events.ts';
import { EventEntity } from '../../shared/platform/events/index.ts';
import { isOrderId, orderIdOf, reservationIdOf } from '../../shared/platform/ids.ts';
import type { Table, TableKey } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { hour, minute, paymentScene, type PaymentScene } from './payment-scene.ts';
import { testContext, testKey, testTableName } from './table.ts';

const byHand = { instant_book_enabled: false };

/** Returns the first stay of an order, or the stay itself. */
const stayIdOf = (id: number): number => (isOrderId(id) ? reservationIdOf(id, 0) : id);

const publicTypes = new Set<string>(publicEventTypes);

/** Brings every event of some partitions that partners see into the feed and lists the ends of stays, as publisher and workers do. */
export const publishEvents = async (
  deps: PaymentScene['deps'],
  subjects: readonly string[],
): Promise<number> => {
  const deliveries = { send: async () => undefined };
  let published = 0;
  for (const pk of subjects) {
    const events = await deps.table.queryAll(EventEntity, { pk, prefix: 'EVENT#' });
    const shown = events.filter(({ event_type }) => publicTypes.has(event_type));
    for (const event of shown) await appendEvent({ ...deps, deliveries }, event as unknown as PublicEvent);
    for (const { event_type, data } of events)
      if (event_type === 'booking.created') await scheduleEnds(deps, [data.id]);
    published += events.length;
  }
  return published;
};

/** Books a stay in each of some listings, with its events in the feed, half an hour ago; returns the orders. */
export const bookAudited = async (
  s: PaymentScene,
  count: number,
  listing: (at: number) => Promise<Pick<Listing, 'id'>>,
): Promise<number[]> => {
  const orders: number[] = [];
  for (let at = 0; at < count; at++) {
    const items = s.items(await listing(at));
    orders.push((await confirmCheckout(s.guest, { items, payment_method: 'CASH' })).master_reservation_id);
  }
  await publishEvents(
    s.deps,
    orders.map((id) => `ORDER#${id}`),
  );
  s.clock.advance(31 * minute);
  return orders;
};

/** The raw items of this worker's table, to plant a fault and to take it back. */
export const rawItems = async () => {
  const TableName = await testTableName();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const planted: { key: TableKey; before: Record<string, unknown> | undefined }[] = [];
  const get = async (Key: TableKey) =>
    (await client.send(new GetCommand({ TableName, Key: { ...Key } }))).Item;
  const set = async (Key: TableKey, item: Record<string, unknown> | undefined) =>
    item
      ? client.send(new PutCommand({ TableName, Item: item }))
      : client.send(new DeleteCommand({ TableName, Key: { ...Key } }));
  return {
    get,
    /** Changes an item; undefined deletes it. */
    plant: async (
      key: TableKey,
      change: (item: Record<string, unknown>) => Record<string, unknown> | undefined,
    ): Promise<void> => {
      const before = await get(key);
      planted.push({ key: { pk: key.pk, sk: key.sk }, before });
      await set(key, change(before ?? { ...key }));
    },
    /** Puts everything back. */
    undo: async (): Promise<void> => {
      for (const { key, before } of planted.splice(0).reverse()) await set(key, before);
    },
  };
};

/** A busy correct history: every way to book, to pay, to move and to end a stay, published and settled. */
export const auditScene = async () => {
  const s = await paymentScene();
  await s.clear();
  const { deps, owner, guest, clock } = s;
  const orders = new Set<number>();
  const listings: Listing[] = [];
  const made = <Id extends number>(id: Id): Id => {
    orders.add(orderIdOf(id));
    return id;
  };
  const listing = async (given: Partial<Listing> = {}): Promise<Listing> => {
    const one = await s.listing(given);
    listings.push(one);
    return one;
  };
  const pay = (id: number) => s.decide(id, 'success');
  const book = async (method: 'CASH' | 'BANK_TRANSFER', where: readonly Listing[], dates = {}) => {
    const items = s.items(...where).map((item) => ({ ...item, ...dates }));
    const { reservations } = await confirmCheckout(guest, { items, payment_method: method });
    return reservations.map(({ id }) => made(id));
  };
  const today = { check_in_date: '2027-01-15', check_out_date: '2027-01-18' };

  // The day before: a stay that ends early, is completed and reviewed.
  const home = await listing();
  const [completed = 0] = await book('CASH', [home], today);
  await markPaid(owner, completed);
  const tonight = { check_in_date: '2027-01-15', check_out_date: '2027-01-16' };
  const online = { payment_method: 'ONLINE_GATEWAY' as const, payment_gateway_token: 'tok_ok' };
  const missedAt = async (dates: object) => {
    const items = s.items(await listing()).map((item) => ({ ...item, ...dates }));
    return made((await confirmCheckout(guest, { items, ...online })).master_reservation_id);
  };
  const [missed, unattended] = [await missedAt(today), await missedAt(tonight)];
  const [unpaid = 0] = await book('CASH', [await listing()], tonight);
  const [undone = 0] = await book('CASH', [await listing()], today);
  const [turnedDown = 0] = await book('CASH', [await listing(byHand)], today);
  await declineBooking(owner, turnedDown, 'Painting');
  clock.advance(5 * hour);
  for (const id of [completed, undone]) await moveBooking(owner, id, 'check_in');
  await moveBooking(owner, undone, 'undo_check_in');
  clock.advance(26 * hour);
  await moveBooking(owner, completed, 'check_out');
  await markNoShow(owner, missed, 500_000);
  for (const order of [unattended, unpaid, undone]) await scheduleEnds(deps, [stayIdOf(order)]);
  clock.advance(25 * hour);
  await s.moveDue();
  await createReview(guest, completed, { rating: 5, comment: null });

  const [cash = 0] = await book('CASH', [home]);
  await releaseAccess(owner, cash);
  const [transfer = 0] = await book('BANK_TRANSFER', [await listing()]);
  const long = await listing();
  await book('CASH', [long], { check_in_date: '2027-02-20', check_out_date: '2027-04-02' });
  const page = made((await s.confirm([await listing()])).master_reservation_id);
  await pay(page);
  const open = made((await s.confirm([await listing()])).master_reservation_id);
  const refunded = made((await s.confirm([await listing()], 'tok_ok')).master_reservation_id);
  await s.cancel(refunded);
  const pending = await book('CASH', [await listing(byHand)]);
  const accepted = await book('CASH', [await listing(byHand)]);
  await moveBooking(owner, accepted[0] ?? 0, 'confirm');
  const authorised = made((await s.confirm([await listing(byHand)], 'tok_ok')).master_reservation_id);
  const captured = made((await s.confirm([await listing(byHand)], 'tok_ok')).master_reservation_id);
  await acceptBooking(owner, captured);
  const mixed = made(
    (await s.confirm([await listing(), await listing(byHand), await listing()], 'tok_ok'))
      .master_reservation_id,
  );
  await s.cancel(mixed + 3);
  const [cancelled = 0] = await book('CASH', [home], {
    check_in_date: '2027-03-04',
    check_out_date: '2027-03-06',
  });
  await s.cancel(cancelled);

  const late = made((await s.confirm([await listing()])).master_reservation_id);
  await s.cancel(late);
  await pay(late);

  const parent = await listing();
  const children = [
    await listing({ parent_listing_id: parent.id }),
    await listing({ parent_listing_id: parent.id }),
  ];
  const family = await book('CASH', children);
  await blockTime(owner, parent.id, { block_date: '2027-02-20' });
  const partner = testContext(
    deps,
    (await testKey(deps, { team_ids: [parent.team_id], collects_payment: true })).caller,
  );
  const stay = {
    ...s.items(children[0] ?? parent)[0],
    check_in_date: '2027-02-10',
    check_out_date: '2027-02-12',
  };
  const external = await bookExternally(partner, {
    ...{
      listing_id: stay.listing_id ?? 0,
      check_in_date: stay.check_in_date,
      check_out_date: stay.check_out_date,
    },
    ...{ guest_number: 2, nights: 2, payment_method: 'ONLINE_GATEWAY' as const },
    guest_info: { full_name: 'Lan', phone: '+84901234567', email: 'lan@example.com' },
  } as Parameters<typeof bookExternally>[1]);
  made(external.booking.id);

  await s.reconcile();
  const declined = await listing();
  await s.confirm([declined], 'tok_declined').catch(() => undefined);
  await publishEvents(deps, [
    ...[...orders].map((id) => `ORDER#${id}`),
    ...listings.map(({ id }) => `LISTING#${id}`),
  ]);
  const due = made((await s.confirm([await listing()], 'tok_ok')).master_reservation_id);
  await publishEvents(deps, [`ORDER#${due}`]);
  clock.advance(45 * minute);
  // Not settled yet: a refund that is due, a soft lock.
  await s.cancel(due);
  const held = await createCheckout(guest, { items: s.items(long).map((item) => ({ ...item, ...inMay })) });
  return {
    ...s,
    ...{ missed, unattended, unpaid, undone, turnedDown },
    ...{ home, long, parent, children, completed, cash, transfer, page, open, refunded, pending, accepted },
    ...{ authorised, captured, mixed, cancelled, family, external: external.booking.id, due, orders },
    held: held.checkout_id,
    team_id: parent.team_id,
  };
};

const inMay = { check_in_date: addDays('2027-02-04', 90), check_out_date: addDays('2027-02-04', 92) };

export type AuditScene = Awaited<ReturnType<typeof auditScene>>;

/** Returns the cost of work on the table, in read units and write units. */
export const readUnitsOf = async (table: Table, work: (measured: Table) => Promise<unknown>) => {
  let rcu = 0;
  let wcu = 0;
  await work(
    table.measured(({ readUnits, writeUnits }) => {
      rcu += readUnits;
      wcu += writeUnits;
    }),
  );
  return { rcu, wcu };
};
