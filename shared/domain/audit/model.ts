export { auditRules } from './audit.rules.ts';
export { AuditRoundEntity } from './audit-round.entity.ts';
