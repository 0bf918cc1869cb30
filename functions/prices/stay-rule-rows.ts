import * as z from 'zod';
import { PutStayRules, StayRules } from '../../shared/domain/pricing/stay-rules.schema.ts';
import {
  putStayRulesExample,
  stayRulesExample,
} from '../../shared/domain/pricing/stay-rules-example.schema.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';

export const listingId = z.strictObject({ listing_id: PathId });
const tag = 'Prices';

/** Which stays a listing takes (D78). */
export const stayRuleRows = {
  readStayRules: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/stay-rules',
    access: 'customer',
    tag,
    summary: 'Which stays a listing takes',
    description:
      'They bind previews, holds, bookings and search, not day use and hourly stays. The availability by day says what they mean for each date.',
    params: listingId,
    status: 200,
    reply: StayRules,
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: stayRulesExample },
  },
  putStayRules: {
    method: 'PUT',
    path: '/api/v1/listings/{listing_id}/stay-rules',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Replaces the rules of which stays a listing takes',
    description:
      'The whole record as it is read, without `listing_id`: what is left out does not restrict. Existing holds and bookings stay as they are.',
    params: listingId,
    body: PutStayRules,
    status: 200,
    reply: StayRules,
    errors: ['LISTING_NOT_FOUND'],
    examples: { body: putStayRulesExample, reply: stayRulesExample },
  },
} as const satisfies Routes;
