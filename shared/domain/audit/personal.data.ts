import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of the audit, which names records by id. */
export const auditData: Record<string, ClassifiedFields> = {
  AuditRound: { none: 'name open[].rule open[].where{} open[].scope claim' },
};
