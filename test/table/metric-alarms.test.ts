import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pollCalendars } from '../../functions/schedules/poll-calendars/index.ts';
import { retryWebhooks } from '../../functions/schedules/retry-webhooks/index.ts';
import { alarmImpacts, type AlarmName } from '../../infra/cloud/impacts.ts';
import { sandboxSecret } from '../../infra/local/payments/index.ts';
import { auditBookings } from '../../shared/domain/audit/index.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { ListingViewsEntity } from '../../shared/domain/listing/listing-views.store.ts';
import { type DueMail, DueMailEntity, dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import { handlePaymentWebhook, reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { failRefund } from '../../shared/domain/payment/refunds.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { RefundOutcomeUnknown } from '../../shared/platform/payment/index.ts';
import { signSandbox } from '../../shared/platform/payment/sandbox.ts';
import { recordCheck } from '../../shared/platform/environment/record-check.ts';
import { connectTable, put, remove } from '../../shared/platform/table/index.ts';
import { scheduled } from '../../shared/scheduled.ts';
import { type ScheduleName, schedules, workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { canaryScene } from '../support/canary-scene.ts';
import { CloudWatch } from '../support/cloudwatch.ts';
import { clearList } from '../support/due.ts';
import { figuresOf } from '../support/figures.ts';
import { importScene } from '../support/import-scene.ts';
import { hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { freshId, testTableName } from '../support/table.ts';

/** With a canary, which other tests of alarms leave out: it rings where there are no data. */
const canaryStage = {
  canary: {
    listing_id: 1,
    secret_arn: 'arn:aws:secretsmanager:ap-southeast-1:111122223333:secret:canary-AbCdEf',
  },
};

let cloud: CloudWatch;
let s: PaymentScene;
beforeAll(() => {
  cloud = new CloudWatch(canaryStage);
}, 120_000);
beforeEach(async () => {
  cloud.forget();
  s = await paymentScene();
  await s.clear();
  await clearList(s.deps.table, dueMails);
});

const reportPaid = (payment_id: number, amount: number) => {
  const outcome = { state: 'paid', transaction_id: 'sbt_other', amount, currency: 'VND' };
  const body = JSON.stringify({ payment_id, reference: `sbx_${payment_id}_1`, outcome });
  return handlePaymentWebhook(systemContext(s.deps, 'anonymous'), {
    provider: 'sandbox',
    method: 'POST',
    raw: { body, headers: { 'x-sandbox-signature': signSandbox(sandboxSecret, body) }, query: {} },
  });
};

/** Runs a verb, and records what it reports at this moment of the clock. */
const run = async (verb: () => Promise<unknown>): Promise<void> =>
  cloud.put(s.clock.now(), await figuresOf(verb));

/** Runs a verb every hour, or as often as said. */
const runEach = async (verb: () => Promise<unknown>, count: number, every = hour): Promise<void> => {
  for (let at = 0; at < count; at++) {
    if (at > 0) s.clock.advance(every);
    await run(verb);
  }
};

const silent = () => (s.wire.fault = () => 'before');

/** A mail that cannot be written: its booking is not there. */
const orphanMail = async (lateMs = 0): Promise<void> => {
  const lost: DueMail = { kind: 'reminder', id: freshId() * 16 + 1, due_at: s.clock.now() - lateMs };
  await s.deps.table.transact([put(DueMailEntity, lost)]);
};
const sendMails = () => sendDueMails({ ...s.deps, mailer: { send: async () => undefined } });

/** A figure that AWS makes. */
const aws = (namespace: string, name: string, dimensions: Record<string, string>, value: number): void =>
  cloud.put(s.clock.now(), [{ namespace, name, dimensions, value }]);
const queueFigure = (queue: string, name: string, value: number): void =>
  aws('AWS/SQS', name, { QueueName: `nightlatch-dev-${queue}` }, value);
const consumers = [...subscriptions, ...workQueues].map(({ consumer }) => consumer);

/** Has the gateway refuse 10 requests a minute of a route, for 2 minutes. */
const throttled = (route: string): void => {
  s.clock.advance(minute);
  for (let at = 0; at < 20; at++)
    cloud.log(s.clock.now() + Math.floor(at / 10) * minute, {
      ...{ stage: 'dev', method: 'GET', route },
      ...{ status: '429', refusal: 'THROTTLED' },
    });
  s.clock.advance(minute);
};

/** What makes each alarm ring, as it happens; those of the objectives have tests of their own. */
const scenes: Record<string, Partial<Record<AlarmName, () => Promise<void>>>> = {
  'another amount': {
    'payment-attention': async () => {
      const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
      await run(() => reportPaid(id, estimated_total - 1));
    },
  },
  'a second charge': {
    'payment-attention': async () => {
      const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
      await s.decide(id, 'success');
      await run(() => reportPaid(id, estimated_total));
    },
  },
  'a payment that could not be asked about': {
    'payment-attention': async () => {
      await s.confirm([await s.listing()]);
      s.clock.advance(24 * hour);
      silent();
      await runEach(s.moveDue, 7);
    },
  },
  'a refund without an answer': {
    'payment-attention': async () => {
      const { master_reservation_id: id } = await s.confirm([await s.listing()], 'tok_ok');
      await s.cancel(id);
      const refund = () => Promise.reject(new RefundOutcomeUnknown('type 03'));
      await run(() =>
        reconcilePayments({ ...s.deps, payments: () => ({ ...s.deps.sandbox.gateway, refund }) }),
      );
    },
  },
  'a refund that has not reached the customer': {
    'payment-attention': async () => {
      const { master_reservation_id: payment_id } = await s.confirm([await s.listing()], 'tok_ok');
      await s.cancel(payment_id);
      await s.reconcile();
      const [{ refund_id } = { refund_id: '' }] = (await s.order(payment_id)).refunds;
      const ctx = systemContext(s.deps, 'anonymous');
      await run(() => failRefund(ctx, { payment_id, refund_id, reason: 'expired_or_canceled_card' }));
    },
  },
  'a dead payment gateway': {
    'payment-unreconciled': async () => {
      await s.confirm([await s.listing()]);
      s.clock.advance(10 * minute);
      silent();
      await runEach(s.reconcile, 4);
    },
  },
  'a mail without its booking': {
    'due-stuck': async () => {
      await orphanMail();
      await runEach(sendMails, 4);
    },
    'due-late': async () => {
      await orphanMail(16 * minute);
      await run(sendMails);
      s.clock.advance(5 * minute);
      await orphanMail(16 * minute);
      await run(sendMails);
    },
  },
  'records that were changed by hand': {
    'audit-findings': async () => {
      const { master_reservation_id: id } = await s.confirm([await s.listing()], 'tok_ok');
      const { reservations } = await s.order(id);
      await s.deps.table.transact([remove(AvailabilityEntryEntity, reservations[0]!)]);
      s.clock.advance(31 * minute);
      await run(() => auditBookings(s.deps));
    },
    'record-mismatch': async () => {
      const ids = { listing_id: (await s.listing()).id };
      await s.deps.table.transact([put(ListingViewsEntity, { ...ids, views: 'many' as never })]);
      vi.stubEnv('RECORD_CHECK_PERCENT', '100');
      const table = connectTable(await testTableName(), recordCheck(s.deps.log));
      await run(async () =>
        expect(await table.get(ListingViewsEntity, ids)).toMatchObject({ views: 'many' }),
      );
      vi.unstubAllEnvs();
    },
  },
  'an audit that does not get on': {
    'audit-late': async () => {
      await auditBookings(s.deps);
      s.clock.advance(100 * hour);
      await runEach(() => auditBookings(s.deps), 3, 5 * minute);
    },
  },
  'workers that do not get to the calendars of other platforms': {
    'feeds-late': async () => {
      const feeds = await importScene();
      await feeds.follow();
      const queue = { waiting: async () => 0, send: async () => undefined };
      feeds.deps.clock.advance(45 * minute);
      for (let period = 0; period < 2; period++) {
        feeds.deps.clock.advance(5 * minute);
        s.clock.set(new Date(feeds.deps.clock.now()).toISOString());
        await run(pollCalendars(() => ({ ...feeds.deps, queue })));
      }
    },
  },
  'a publisher that is stopped': {
    'publisher-late': async () => {
      const { master_reservation_id: id } = await s.confirm([await s.listing()]);
      const [event] = await s.events(id);
      for (let at = 0; at < 5; at++) {
        s.clock.advance(minute);
        const age = s.clock.now() - Date.parse(event!.occurred_at);
        aws('AWS/Lambda', 'IteratorAge', { FunctionName: 'nightlatch-dev-publisher' }, age);
      }
    },
    'publisher-dead-letters': async () =>
      queueFigure('publisher-dead-letters', 'ApproximateNumberOfMessagesVisible', 1),
  },
  ...Object.fromEntries(
    consumers.map((consumer) => [
      `a consumer that is stopped, ${consumer},`,
      {
        'queues-late': async () => {
          const since = s.clock.now();
          for (let at = 0; at < 6; at++) {
            s.clock.advance(5 * minute);
            queueFigure(consumer, 'ApproximateAgeOfOldestMessage', (s.clock.now() - since) / 1000);
          }
        },
        'dead-letters': async () =>
          queueFigure(`${consumer}-dead-letters`, 'ApproximateNumberOfMessagesVisible', 1),
      },
    ]),
  ),
  'addresses that do not exist': {
    'mail-bounces': async () =>
      aws('AWS/SES', 'Reputation.BounceRate', { 'ses:configuration-set': 'nightlatch-dev-mail' }, 0.06),
    'mail-complaints': async () =>
      aws('AWS/SES', 'Reputation.ComplaintRate', { 'ses:configuration-set': 'nightlatch-dev-mail' }, 0.002),
  },
  'a flood of requests': {
    'api-slow': async () => {
      for (let at = 0; at < 5; at++) {
        s.clock.advance(minute);
        aws('AWS/ApiGateway', 'Latency', { ApiName: 'nightlatch-dev', Stage: 'dev' }, 3500);
      }
    },
    'api-throttled': async () => throttled('/api/v1/search'),
  },
};
const provoked = Object.entries(scenes).flatMap(([what, alarms]) =>
  Object.entries(alarms).map(([alarm, scene]) => ({ what, alarm, scene })),
);

/** Runs every schedule at its rate, but those that are stopped. */
const runSchedules = async (count: number, stopped?: string): Promise<void> => {
  const queue = { waiting: async () => 0, send: async () => undefined };
  const runs: Record<ScheduleName, () => Promise<unknown>> = {
    'poll-calendars': pollCalendars(() => ({ ...s.deps, queue })),
    'retry-webhooks': retryWebhooks(() => ({ ...s.deps, queue })),
    'move-due-bookings': s.moveDue,
    'reconcile-payments': s.reconcile,
    'send-due-mails': sendMails,
    'audit-bookings': () => auditBookings(s.deps),
  };
  for (let at = 0; at < count; at++) {
    s.clock.advance(minute);
    for (const { name, everyMinutes } of schedules)
      if (at % everyMinutes === 0 && name !== stopped) await run(scheduled(name, runs[name]));
  }
};

describe('an alarm', () => {
  it.each(provoked)(
    '$what makes $alarm ring',
    async ({ alarm, scene }) => {
      await scene();
      expect(cloud.stateOf(alarm, s.clock.now())).toBe('ALARM');
    },
    60_000,
  );

  it.each(['/{proxy+}', '/', '/docs/{asset}', '/api/v1/listings/{listing_id}/calendar.ics'])(
    'api-throttled does not ring for %s, which has a limit of its own',
    (route) => {
      throttled(route);
      expect(cloud.stateOf('api-throttled', s.clock.now())).toBe('OK');
    },
  );

  it.each(schedules)(
    'schedules-still rings half an hour after $name has stopped',
    async ({ name }) => {
      await runSchedules(35);
      expect(cloud.stateOf('schedules-still', s.clock.now())).toBe('OK');
      await runSchedules(30, name);
      expect(cloud.ringing(s.clock.now())).toContain('schedules-still');
    },
    120_000,
  );

  it('schedules-still rings for runs that fail, and where there are none at all', async () => {
    const failing = scheduled('move-due-bookings', () => Promise.reject(new Error('a fault')));
    await run(() => failing().catch(() => undefined));
    expect(cloud.stateOf('schedules-still', s.clock.now())).toBe('ALARM');
    cloud.forget();
    expect(cloud.stateOf('schedules-still', s.clock.now())).toBe('ALARM');
  });

  it('canary-failed rings when the canary has failed or not run for 15 minutes, and is over with the next success', async () => {
    const rang: boolean[] = [];
    const canaries = await canaryScene();
    const runs = async (count: number, how: 'well' | 'failing' | 'not') => {
      for (let at = 0; at < count; at++) {
        s.clock.advance(minute);
        if (at % 5 === 0 && how !== 'not') {
          const fault = how === 'failing' ? () => new Response('{}', { status: 503 }) : undefined;
          const { figures } = await canaries.run(fault);
          cloud.put(s.clock.now(), figures);
        }
        rang.push(cloud.stateOf('canary-failed', s.clock.now()) === 'ALARM');
      }
      return rang.splice(0);
    };
    expect(await runs(1, 'not')).toEqual([true]);
    expect(await runs(60, 'well')).not.toContain(true);
    const failing = await runs(20, 'failing');
    expect(failing.indexOf(true)).toBe(10);
    expect(failing.slice(10)).not.toContain(false);
    expect(await runs(5, 'well')).not.toContain(true);
    expect(await runs(5, 'failing')).not.toContain(true);
    expect(await runs(5, 'well')).not.toContain(true);
    const stopped = await runs(20, 'not');
    expect(stopped.indexOf(true)).toBe(10);
    expect(stopped.slice(10)).not.toContain(false);
  });

  it('payment-unreconciled rings for one payment that fails, from 35 minutes on until it is done, without a pause', async () => {
    await s.confirm([await s.listing()]);
    silent();
    const rang: boolean[] = [];
    const periods = async (count: number) => {
      for (let at = 0; at < count; at++) {
        s.clock.advance(5 * minute);
        await run(s.reconcile);
        rang.push(cloud.stateOf('payment-unreconciled', s.clock.now()) === 'ALARM');
      }
    };
    await periods(60);
    // Due after the first period: behind by 35 minutes in the eighth.
    expect(rang.indexOf(true)).toBe(7);
    expect(rang.slice(7)).not.toContain(false);
    s.wire.fault = undefined;
    await periods(28);
    expect(rang.at(-1)).toBe(false);
  }, 60_000);

  it('stays quiet while all is well, and what watches it costs one metric', async () => {
    await runSchedules(30);
    const figures = await figuresOf(async () => {
      const { master_reservation_id: id } = await s.confirm([await s.listing()]);
      s.clock.advance(5 * minute);
      await s.reconcile();
      await s.decide(id, 'success');
      s.clock.advance(5 * minute);
      await s.reconcile();
      await s.moveDue();
    });
    expect(figures).toEqual([]);
    s.clock.advance(-10 * minute);
    // Other tests of this file leave records that disagree.
    expect(
      cloud.ringing(s.clock.now()).filter((name) => !['audit-findings', 'canary-failed'].includes(name)),
    ).toEqual([]);
  }, 60_000);

  it('that notifies is provoked by a test', () => {
    const elsewhere = ['confirm-burn', 'booking-burn', 'search-burn', 'partner-burn'];
    const ofRequests = ['api-server-errors', 'table-refusals'];
    const names = [
      ...provoked.map(({ alarm }) => alarm),
      'schedules-still',
      'canary-failed',
      ...elsewhere,
      ...ofRequests,
    ];
    expect([...new Set(names)].sort()).toEqual(cloud.notifying);
    expect(cloud.notifying).toEqual(Object.keys(alarmImpacts).sort());
  });
});
