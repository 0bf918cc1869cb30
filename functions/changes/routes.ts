import * as z from 'zod';
import {
  AdjustRequest,
  ChangedBooking,
  ChangePreview,
  ChangeRequest,
} from '../../shared/domain/checkout/change.schema.ts';
import {
  adjustedExample,
  changedExample,
  changePreviewExample,
} from '../../shared/domain/checkout/change-example.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { PathId } from '../../shared/platform/schema/schema.ts';

const params = z.strictObject({ booking_id: PathId });

const priced =
  'Nights of the same listing and date keep the price that they were sold at, new ones are priced now; fees, guests and services are computed anew, and so are combos and prices of the whole stay when its dates change.';
const paying =
  'What a booking that is paid online costs more is paid first: charged to `payment_gateway_token`, or on the page of `change.payment_url` while the new time is held, and the change takes effect with the payment. Another change gives up one that waits. What a paid booking costs less is refunded.';
const rights =
  'A PENDING or CONFIRMED booking may change; one that is CHECKED_IN its check-out only. Stay rules bind new dates. Of an order of several stays each is changed by its own id.';

/** Both rows of a change: what it would do, and the change itself. */
const preview = {
  method: 'POST',
  params,
  body: ChangeRequest,
  status: 200,
  reply: ChangePreview,
} as const;

const change = {
  method: 'POST',
  objective: 'booking',
  params,
  body: ChangeRequest,
  status: 200,
  reply: ChangedBooking,
  idempotent: true,
} as const;

const refusals = ['FORBIDDEN', 'INVALID_STATE_TRANSITION', 'STAY_NOT_ALLOWED'] as const;
const losses = [
  'LISTING_NOT_AVAILABLE',
  'PRICE_CHANGED',
  'PAYMENT_DECLINED',
  'PAYMENT_GATEWAY_UNAVAILABLE',
] as const;

const examplesOf = (booking_id: number) => ({
  params: { booking_id },
  body: { check_out_date: '2027-05-24' },
});

const forPeople = { access: 'customer', tag: 'Changes of stays' } as const;
const missing = ['BOOKING_NOT_FOUND', 'LISTING_NOT_FOUND'] as const;
const forPartners = { access: 'partner', scope: 'book', tag: 'Changes of stays' } as const;
const notAccessible = ['EXTERNAL_BOOKING_NOT_ACCESSIBLE', 'EXTERNAL_LISTING_NOT_ACCESSIBLE'] as const;

const adjusting =
  'Until the end of the stay and after it. What a stay that is paid online costs more is paid on a page first, as for a change; a stay of which a partner has collected the price is refused.';

const adjustment = {
  access: 'host',
  permission: 'manage',
  tag: 'Money of bookings',
  status: 200,
  reply: ChangedBooking,
} as const;
const adjustmentRefusals = [
  'MANAGED_BY_CHANNEL',
  'BOOKING_NOT_FOUND',
  'FORBIDDEN',
  'INVALID_STATE_TRANSITION',
  'PAYMENT_GATEWAY_UNAVAILABLE',
] as const;

/** Changes of a stay (D84): time, home, party and extras, by its guest, its host or the key that made it. */
export const changesRoutes = defineRoutes('changes', {
  previewChange: {
    ...preview,
    ...forPeople,
    path: '/api/v1/bookings/{booking_id}/change-preview',
    summary: 'What changing a stay would cost, and whether its time is free',
    description: `${priced} Changes nothing.`,
    errors: [...missing, ...refusals, 'MANAGED_BY_CHANNEL'],
    examples: {
      ...examplesOf(exampleIds.toChange),
      reply: changePreviewExample(exampleIds.toChange),
    },
  },
  changeBooking: {
    ...change,
    ...forPeople,
    path: '/api/v1/bookings/{booking_id}/change',
    summary: 'Changes dates, home, guests or extras of a stay',
    description: `${rights} By an owner or manager of the team, and by the guest until the end of the free cancellation. All or nothing: if the new time is taken, the stay is unchanged. ${priced} ${paying} With \`charge_later\` of a host the change stands at once, and the difference is due; with \`override_rules\` of a host stay rules do not bind. The page of a guest is open for 15 minutes, that of a host for the payment window. The earlier of the two cancellation deadlines stays.`,
    errors: [...missing, ...refusals, ...losses, 'MANAGED_BY_CHANNEL'],
    examples: { ...examplesOf(exampleIds.toChange), reply: changedExample(exampleIds.toChange) },
  },
  addAdjustment: {
    ...adjustment,
    method: 'POST',
    path: '/api/v1/bookings/{booking_id}/adjustments',
    summary: 'Lowers or raises the price of a stay',
    description: `A line of the price, which a later change keeps. ${adjusting} What a paid stay costs less is refunded, or stays as credit with \`as_credit\`.`,
    params,
    body: AdjustRequest,
    errors: [...adjustmentRefusals],
    idempotent: true,
    examples: {
      params: { booking_id: exampleIds.toAdjust },
      body: { label: 'Cold shower', amount: -100_000, reason: 'GOODWILL' },
      reply: adjustedExample(exampleIds.toAdjust, -100_000, -100_000),
    },
  },
  removeAdjustment: {
    ...adjustment,
    method: 'DELETE',
    path: '/api/v1/bookings/{booking_id}/adjustments/{adjustment_id}',
    summary: 'Takes an adjustment out of the price of a stay',
    description: `By the id in the \`source\` of its line. ${adjusting}`,
    params: z.strictObject({ booking_id: PathId, adjustment_id: PathId }),
    errors: [...adjustmentRefusals, 'NOT_FOUND'],
    examples: {
      params: { booking_id: exampleIds.adjusted, adjustment_id: exampleIds.adjustment },
      reply: adjustedExample(exampleIds.adjusted, 100_000),
    },
  },
  previewExternalChange: {
    ...preview,
    ...forPartners,
    path: '/api/v1/external/bookings/{booking_id}/change-preview',
    summary: 'What changing a stay that this key made would cost, and whether its time is free',
    description: `${priced} Changes nothing.`,
    errors: [...notAccessible, ...refusals],
    examples: {
      ...examplesOf(exampleIds.ofPartnerToChange),
      body: { check_out_date: '2027-05-31' },
      reply: changePreviewExample(exampleIds.ofPartnerToChange),
    },
  },
  changeExternalBooking: {
    ...change,
    ...forPartners,
    path: '/api/v1/external/bookings/{booking_id}/change',
    summary: 'Changes dates, home, guests or extras of a stay that this key made',
    description: `${rights} Until the end of the free cancellation. All or nothing: if the new time is taken, the stay is unchanged. ${priced} ${paying} The page is open for 15 minutes. The earlier of the two cancellation deadlines stays.`,
    errors: [...notAccessible, ...refusals, ...losses],
    examples: {
      ...examplesOf(exampleIds.ofPartnerToChange),
      body: { check_out_date: '2027-05-31' },
      reply: changedExample(exampleIds.ofPartnerToChange),
    },
  },
});
