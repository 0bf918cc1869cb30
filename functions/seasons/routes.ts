import { defineRoutes } from '../../shared/platform/http/route.ts';
import { bulkRows } from './bulk-rows.ts';
import { changeRows } from './change-rows.ts';
import { stayRuleRows } from './stay-rule-rows.ts';

/** What a host changes for a season, and who has changed what. */
export const seasonsRoutes = defineRoutes('seasons', { ...stayRuleRows, ...bulkRows, ...changeRows });
