import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeService } from '../../infra/cloud/service.ts';
import { stageOf } from '../../infra/cloud/stage.ts';
import { sandboxSecret } from '../../infra/local/payments/index.ts';
import { auditBookings } from '../../shared/domain/audit/index.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { ListingViewsEntity } from '../../shared/domain/listing/listing-views.store.ts';
import { type DueMail, DueMailEntity, dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import { handlePaymentWebhook, reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { alarmedMetrics } from '../../shared/platform/metrics/index.ts';
import { RefundOutcomeUnknown } from '../../shared/platform/payment/index.ts';
import { signSandbox } from '../../shared/platform/payment/sandbox.ts';
import { recordCheck } from '../../shared/platform/record-check.ts';
import { connectTable, put, remove } from '../../shared/platform/table/index.ts';
import { clearList } from '../support/due.ts';
import { type Figure, figuresOf } from '../support/figures.ts';
import { hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { freshId, testTableName } from '../support/table.ts';

interface Alarm {
  AlarmName: string;
  Namespace?: string;
  MetricName?: string;
  Statistic?: string;
  Period?: number;
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm: number;
  Dimensions?: { Name: string; Value: string }[];
}

/** The alarms of the stage `dev`, as CloudFormation makes them. */
const alarmsOf = (): Alarm[] => {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] }, analyticsReporting: false });
  const stacks = Object.values(makeService(app, stageOf(app.node)));
  return stacks.flatMap((stack) =>
    Object.values(Template.fromStack(stack as never).findResources('AWS::CloudWatch::Alarm')).map(
      (resource) => (resource as { Properties: Alarm }).Properties,
    ),
  );
};

const placeOf = (
  namespace: string | undefined,
  name: string | undefined,
  dimensions: Record<string, string>,
) => JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
const watchedBy = ({ Namespace, MetricName, Dimensions = [] }: Alarm): string =>
  placeOf(Namespace, MetricName, Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])));
const countedAt = ({ namespace, name, dimensions }: Figure): string => placeOf(namespace, name, dimensions);

let alarms: Alarm[];
let s: PaymentScene;
beforeAll(() => {
  alarms = alarmsOf();
}, 120_000);
beforeEach(async () => {
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

/** A gateway that does not answer, looked at again and again for a time. */
const silence = async (verb: () => Promise<unknown>, runs: number): Promise<void> => {
  s.wire.fault = () => 'before';
  for (let run = 0; run < runs; run++) {
    await verb();
    s.clock.advance(hour);
  }
};

/** A mail that cannot be written: its booking is not there. */
const orphanMail = async (): Promise<void> => {
  const lost: DueMail = { kind: 'reminder', id: freshId() * 16 + 1, due_at: s.clock.now() };
  await s.deps.table.transact([put(DueMailEntity, lost)]);
};
const sendMails = () => sendDueMails({ ...s.deps, mailer: { send: async () => undefined } });

/** What makes each figure ring, as it happens. */
const scenes: Record<keyof typeof alarmedMetrics, () => Promise<unknown>> = {
  payment_mismatch: async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
    await reportPaid(id, estimated_total - 1);
  },
  payment_twice: async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
    await s.decide(id, 'success');
    await reportPaid(id, estimated_total);
  },
  payment_unasked: async () => {
    await s.confirm([await s.listing()]);
    s.clock.advance(24 * hour);
    await silence(s.moveDue, 7);
  },
  refund_unsure: async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()], 'tok_ok');
    await s.cancel(id);
    const refund = () => Promise.reject(new RefundOutcomeUnknown('type 03'));
    await reconcilePayments({ ...s.deps, payments: () => ({ ...s.deps.sandbox.gateway, refund }) });
  },
  audit_findings: async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()], 'tok_ok');
    const { reservations } = await s.order(id);
    await s.deps.table.transact([remove(AvailabilityEntryEntity, reservations[0]!)]);
    s.clock.advance(31 * minute);
    await auditBookings(s.deps);
  },
  audit_lag_seconds: async () => {
    await auditBookings(s.deps);
    s.clock.advance(40 * hour);
    await auditBookings(s.deps);
  },
  record_mismatch: async () => {
    const { id } = await s.listing();
    const ids = { listing_id: id };
    await s.deps.table.transact([put(ListingViewsEntity, { ...ids, views: 'many' as never })]);
    vi.stubEnv('RECORD_CHECK_PERCENT', '100');
    const table = connectTable(await testTableName(), recordCheck(s.deps.log));
    expect(await table.get(ListingViewsEntity, ids)).toEqual({ ...ids, views: 'many' });
    vi.unstubAllEnvs();
  },
  due_lag_seconds: async () => {
    await s.confirm([await s.listing()]);
    await orphanMail();
    s.clock.advance(26 * hour);
    await s.reconcile();
    await s.moveDue();
    await sendMails();
  },
  due_failures: async () => {
    await s.confirm([await s.listing()]);
    s.clock.advance(24 * hour);
    await orphanMail();
    await silence(s.reconcile, 1);
    await silence(s.moveDue, 1);
    await sendMails();
  },
  due_stuck: async () => {
    await s.confirm([await s.listing()]);
    s.clock.advance(24 * hour);
    await orphanMail();
    const each = async () => {
      await s.reconcile();
      await s.moveDue();
      await sendMails();
    };
    await silence(each, 4);
  },
};

describe('a figure that rings', () => {
  it.each(Object.entries(scenes))(
    '%s is counted where its alarm looks, and high enough',
    async (name, scene) => {
      const figures = (await figuresOf(scene)).filter((figure) => figure.name === name);
      const watching = alarms.filter(({ MetricName }) => MetricName === name);
      expect(watching.length).toBeGreaterThan(0);
      expect(new Set(figures.map(countedAt))).toEqual(new Set(watching.map(watchedBy)));
      for (const alarm of watching) {
        const own = figures.filter((figure) => countedAt(figure) === watchedBy(alarm));
        expect(Math.max(...own.map(({ value }) => value))).toBeGreaterThanOrEqual(alarm.Threshold);
      }
    },
    60_000,
  );

  it('due_stuck rings for one payment that fails, from 35 minutes on until it is done, without a pause', async () => {
    await s.confirm([await s.listing()]);
    s.wire.fault = () => 'before';
    const counted: number[] = [];
    const alarm = alarms.find(
      ({ MetricName, Dimensions }) =>
        MetricName === 'due_stuck' && JSON.stringify(Dimensions).includes('reconcile-payments'),
    )!;
    const period = async () => {
      s.clock.advance(alarm.Period! * 1000);
      const figures = await figuresOf(s.reconcile);
      const own = figures.filter((figure) => countedAt(figure) === watchedBy(alarm));
      counted.push(own.reduce((sum, { value }) => sum + value, 0));
    };
    const isRinging = () =>
      counted.slice(-alarm.EvaluationPeriods).filter((value) => value >= alarm.Threshold).length >=
      alarm.DatapointsToAlarm;
    const rang: boolean[] = [];
    const run = async (periods: number) => {
      for (let at = 0; at < periods; at++) {
        await period();
        rang.push(isRinging());
      }
    };
    await run(60);
    // Due after the first period: behind by 35 minutes in the eighth.
    expect(rang.indexOf(true)).toBe(7);
    expect(rang.slice(7)).not.toContain(false);
    s.wire.fault = undefined;
    await run(28);
    expect(rang.at(-1)).toBe(false);
  }, 60_000);

  it('is every one that an alarm watches, and nothing else is watched in the namespace', () => {
    const own = alarms.filter(({ Namespace }) => Namespace === 'Nightlatch');
    expect(new Set(own.map(({ MetricName }) => MetricName))).toEqual(new Set(Object.keys(alarmedMetrics)));
  });

  it('stays quiet while all is well', async () => {
    const figures = await figuresOf(async () => {
      const { master_reservation_id: id } = await s.confirm([await s.listing()]);
      s.clock.advance(5 * minute);
      await s.reconcile();
      await s.decide(id, 'success');
      s.clock.advance(5 * minute);
      await s.reconcile();
      await s.moveDue();
    });
    const ringing = alarms.filter((alarm) =>
      figures.some((figure) => countedAt(figure) === watchedBy(alarm) && figure.value >= alarm.Threshold),
    );
    expect(ringing).toEqual([]);
    expect(figures.length).toBeGreaterThan(0);
  });
});
