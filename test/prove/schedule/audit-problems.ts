import { AuditReading } from '../../../shared/domain/audit/audit-reading.store.ts';
import type { AuditScope } from '../../../shared/domain/audit/audit-round.entity.ts';
import { auditScopes } from '../../../shared/domain/audit/audit-scopes.ts';
import { scheduleEnds } from '../../../shared/domain/booking/model.ts';
import { Table } from '../../../shared/platform/table/index.ts';
import { idOf } from '../memory/key-schema.ts';
import { sdkClient } from '../memory/sdk-client.ts';
import { SimulatedTable } from '../memory/simulated-table.ts';
import type { Item } from '../memory/values.ts';
import type { Stage } from './run.ts';
import { homes } from './scene.ts';

/** Events are not published in a schedule, so none has to be in a feed; every entry is compared with its stay. */
const window = { from: 0, to: 0 };

const wholeCalendar = { start_at: '2026-01-01T00:00:00', end_at: '2028-12-31T00:00:00' };

/** Returns what the audit of the service finds in the table after a schedule. */
export const auditProblems = async ({ itemsAtRest }: Stage, now: number): Promise<string[]> => {
  const items = await itemsAtRest();
  const ids = items
    .filter(({ entity }) => entity === 'Order' || entity === 'Reservation' || entity === 'AvailabilityEntry')
    .flatMap(({ order_id }) => (typeof order_id === 'number' ? order_id : []));
  const scopes: AuditScope[] = [
    ...[...new Set(ids)].map((order_id) => ({ kind: 'order' as const, order_id })),
    ...Object.values(homes).map((listing_id) => ({ kind: 'time' as const, listing_id, ...wholeCalendar })),
  ];
  // Nothing is charged and no page is full: sizes do not matter.
  const atRest = new SimulatedTable({ rows: items.map((item) => ({ id: idOf(item), item, size: 0 })) });
  const table = new Table({ client: sdkClient(atRest), tableName: 'prove' });
  const clock = { now: () => now };
  // The consumer of new bookings runs in no schedule.
  for (const id of bookedIn(items)) await scheduleEnds({ table }, [id]);
  const reading = new AuditReading({ table, clock }, window, { consistent: true });
  const findings = await auditScopes({ clock }, reading, scopes);
  return findings.map(({ rule, where }) => `the audit finds ${rule}: ${JSON.stringify(where)}`);
};

/** Returns the bookings that events say were made. */
const bookedIn = (items: readonly Item[]): number[] =>
  items
    .filter(({ entity, event_type }) => entity === 'Event' && event_type === 'booking.created')
    .map(({ data }) => (data as { id: number }).id);
