import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { bookOrder } from '../../shared/domain/booking/book-order.ts';
import { OrderEntity } from '../../shared/domain/booking/order.entity.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { noGateway } from '../../shared/platform/payment/no-gateway.ts';
import { ConflictError, Table } from '../../shared/platform/table/index.ts';
import { testContext } from '../support/dependencies.ts';
import type { Command } from './memory/simulated-table.ts';
import { memoryStage } from './memory/stage.ts';
import { type RawAnswer, type Request, send, silentLog } from './schedule/handlers.ts';
import { callers, homes, softLockMs, start, type Who } from './schedule/scene.ts';
import { viewOf } from './schedule/view.ts';
import { testSealing } from '../support/sealing.ts';
import { senderOf } from '../support/sender.ts';

/** Bugs that random schedules have found, each as its shortest schedule. */

interface Scene {
  deps: Dependencies;
  advance: (ms: number) => void;
  ask: (who: Who, request: Request) => Promise<Answer>;
  /** Runs something to completion before the next matching call reaches the table. */
  meanwhile: (call: RegExp, happens: () => Promise<unknown>) => void;
  entries: () => ReturnType<typeof viewOf>['entries'];
}

interface Answer {
  status: number;
  code: unknown;
  json: Record<string, unknown>;
}

const answerOf = ({ status, body }: RawAnswer): Answer => {
  const json = JSON.parse(body) as Record<string, unknown>;
  return { status, code: json['code'], json };
};

const newScene = async (): Promise<Scene> => {
  const stage = await memoryStage();
  let now = start;
  const interruptions: { call: RegExp; happens: () => Promise<unknown> }[] = [];
  const client = senderOf(async (command: Command) => {
    const text = `${command.constructor.name} ${JSON.stringify(command.input)}`;
    const at = interruptions.findIndex(({ call }) => call.test(text));
    if (at !== -1) await interruptions.splice(at, 1)[0]?.happens();
    return stage.backend.execute(command);
  });
  const deps: Dependencies = {
    table: new Table({ client, tableName: 'prove' }),
    clock: { now: () => now },
    log: silentLog,
    payments: () => noGateway,
    sealing: testSealing,
    identity: () => {
      throw new Error('there is no identity provider');
    },
  };
  return {
    deps,
    advance: (ms) => void (now += ms),
    ask: async (who, request) => answerOf(await send(deps, who, request)),
    meanwhile: (call, happens) => void interruptions.push({ call, happens }),
    entries: () => viewOf(stage.items?.() ?? [], now).entries,
  };
};

const stay = (home: keyof typeof homes) => ({
  listing_id: homes[home],
  check_in_date: '2027-01-31',
  check_out_date: '2027-02-01',
  guest_number: 2,
});
const hold = (home: keyof typeof homes): Request => ({
  method: 'POST',
  resource: '/api/v1/checkout',
  body: { items: [stay(home)] },
});
const confirm = (body: object): Request => ({
  method: 'POST',
  resource: '/api/v1/checkout/confirm',
  body: { ...body, payment_method: 'CASH' },
});
const extend = (checkoutId: unknown): Request => ({
  method: 'POST',
  resource: '/api/v1/checkout/{checkout_id}/extend',
  params: { checkout_id: Number(checkoutId) },
});
const edit = (parent: number | null): Request => ({
  method: 'PATCH',
  resource: '/api/v1/listings/{listing_id}',
  params: { listing_id: homes.moved },
  body: { parent_listing_id: parent },
});
const archive: Request = {
  method: 'DELETE',
  resource: '/api/v1/listings/{listing_id}',
  params: { listing_id: homes.moved },
};
const block: Request = {
  method: 'POST',
  resource: '/api/v1/listing-availability/listings/{listing_id}/blocks',
  params: { listing_id: homes.moved },
  body: { block_date: '2027-01-31' },
};
const monthsOf = (calendar: number): RegExp =>
  new RegExp(`^(BatchGet.*CALENDAR#${calendar}"|Query.*"CALENDAR#${calendar}".*MONTH#)`);

describe('found by schedules', () => {
  let s: Scene;
  beforeEach(async () => {
    s = await newScene();
  });

  it('a lapsed checkout that is confirmed twice at once is confirmed already, not expired', async () => {
    const { checkout_id } = (await s.ask('an', hold('lone'))).json;
    s.advance(softLockMs);
    const twin = () => s.ask('an', confirm({ checkout_id }));
    const first: Promise<Answer>[] = [];
    s.meanwhile(/^BatchGet/, async () => first.push(Promise.resolve(await twin())));
    const second = await twin();
    expect((await first[0])?.status).toBe(201);
    expect(second).toMatchObject({ status: 409, code: 'INVALID_STATE_TRANSITION' });
  });

  it('a lock that lapses while it is extended, and is no longer counted, has expired', async () => {
    const { checkout_id } = (await s.ask('an', hold('lone'))).json;
    s.meanwhile(/^TransactWrite/, () => {
      s.advance(softLockMs);
      return s.ask('an', hold('parent'));
    });
    expect(await s.ask('an', extend(checkout_id))).toMatchObject({ status: 410, code: 'CHECKOUT_EXPIRED' });
  });

  it('a checkout that is confirmed while it is extended is confirmed already, not expired', async () => {
    const { checkout_id } = (await s.ask('an', hold('lone'))).json;
    const confirmed: Answer[] = [];
    s.meanwhile(/^TransactWrite.*"extended"/, async () => {
      confirmed.push(await s.ask('an', confirm({ checkout_id })));
      // Its order is still in flight while its lock has changed already.
      throw new TransactionCanceledException({
        $metadata: {},
        message: 'cancelled',
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'ConditionalCheckFailed' }],
      });
    });
    expect(await s.ask('an', extend(checkout_id))).toMatchObject({
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(confirmed).toMatchObject([{ status: 201 }]);
  });

  it("a new order whose id is in use is refused and leaves the other's checkout unchanged", async () => {
    const { checkout_id } = (await s.ask('an', hold('lone'))).json;
    const order = await s.deps.table.get(OrderEntity, { order_id: Number(checkout_id) });
    const ctx = testContext(s.deps, callers.binh);
    const guest = { user_id: 2, full_name: 'Binh', phone: '', email: 'binh@example.com', language: 'vi' };
    const terms = { guest, payment_method: 'CASH', payment_status: 'PENDING' } as const;
    const clash = bookOrder(ctx, { ...order!, holder: 'user:2' }, terms, { isNew: true });
    await expect(s.deps.table.transact(clash.writes)).rejects.toThrow(ConflictError);
    expect((await s.ask('an', confirm({ checkout_id }))).status).toBe(201);
  });

  it('a block in flight when its home gets a parent goes to the calendar of the family', async () => {
    s.meanwhile(monthsOf(homes.moved), () => s.ask('host', edit(homes.parent)));
    const { id } = (await s.ask('host', block)).json;
    const lift: Request = {
      method: 'DELETE',
      resource: '/api/v1/listing-availability/listings/{listing_id}/blocks/{availability_id}',
      params: { listing_id: homes.moved, availability_id: Number(id) },
    };
    expect((await s.ask('binh', confirm({ items: [stay('parent')] }))).status).toBe(409);
    expect((await s.ask('host', lift)).status).toBe(200);
  });

  it('a booking in flight when its home leaves the family goes to its new calendar', async () => {
    await s.ask('host', edit(homes.parent));
    s.meanwhile(monthsOf(homes.parent), () => s.ask('host', edit(null)));
    await s.ask('an', confirm({ items: [stay('moved')] }));
    await s.ask('binh', confirm({ items: [stay('moved')] }));
    expect(s.entries()).toHaveLength(1);
  });

  it('a lock in a month that did not exist when its home began to move keeps it where it is', async () => {
    s.meanwhile(/^Query.*"CALENDAR#30".*ENTRY/, () => s.ask('an', hold('moved')));
    expect(await s.ask('host', edit(homes.parent))).toMatchObject({ status: 409 });
    expect((await s.ask('binh', confirm({ items: [stay('parent')] }))).status).toBe(201);
    expect(s.entries()).toHaveLength(2);
  });

  it('a stay that is cancelled while its home moves frees the hours where they are', async () => {
    const booked = await s.ask('an', confirm({ items: [stay('moved')] }));
    const cancel: Request = {
      method: 'POST',
      resource: '/api/v1/bookings/{booking_id}/cancel',
      params: { booking_id: Number(booked.json['master_reservation_id']) },
    };
    s.meanwhile(monthsOf(homes.moved), () => s.ask('host', edit(homes.parent)));
    expect((await s.ask('an', cancel)).status).toBe(200);
    expect(s.entries()).toEqual([]);
    expect((await s.ask('binh', confirm({ items: [stay('parent')] }))).status).toBe(201);
  });

  it('a booking in flight when its home is archived finds no home', async () => {
    await s.ask('host', edit(homes.parent));
    s.meanwhile(monthsOf(homes.parent), () => s.ask('host', archive));
    expect(await s.ask('an', confirm({ items: [stay('moved')] }))).toMatchObject({ status: 404 });
  });
});
