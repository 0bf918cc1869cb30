import type { AuditRule } from './audit-rule.rules.ts';
import { calendarRules } from './calendar-audit.rules.ts';
import { dueRules } from './due-audit.rules.ts';
import { feedRules } from './feed-audit.rules.ts';
import { orderRules } from './order-audit.rules.ts';
import { paymentRules } from './payment-audit.rules.ts';
import { reviewRules } from './review-audit.rules.ts';

/** Every rule of the audit: the docs list them. */
export const auditRules: readonly Pick<AuditRule<never>, 'name' | 'holds'>[] = [
  ...calendarRules,
  ...orderRules,
  ...paymentRules,
  ...dueRules,
  ...feedRules,
  ...reviewRules,
];
