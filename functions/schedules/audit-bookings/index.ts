import { auditBookings, type AuditRun } from '../../../shared/domain/audit/index.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { scheduled } from '../../../shared/scheduled.ts';

/**
 * The Lambda handler of the schedule: each hour compares calendars, bookings, payments, refunds and events of what has
 * moved; a round that one run does not finish is continued by the next.
 */
export const handler = scheduled('audit-bookings', (): Promise<AuditRun> => auditBookings(environment()));
