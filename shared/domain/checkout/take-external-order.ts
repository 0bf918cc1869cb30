import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type Issue, ServiceError } from '../../platform/errors.ts';
import { ConflictError, type Read } from '../../platform/table/index.ts';
import { type ExternalBookingRequest, ExternalStay } from '../booking/model.ts';
import { confirmHolds } from '../calendar/index.ts';
import { guestLanguage, type Language, type Team, teamRead } from '../people/model.ts';
import type { CheckoutItem } from '../pricing/model.ts';
import type { PendingOrder } from './book-pending-order.ts';
import { draftOrder } from './draft-order.ts';
import { heldPreview } from './held-stays.ts';
import { takeAll } from './reserve-stays.ts';
import { presentAvailable } from './preview-checkout.ts';
import type { FoundQuote } from './quote.store.ts';
import { quoteUsed, unlessUsed } from './quotes.ts';
import { keyListings, requireExpectedTotal } from './refusals.ts';
import { loadAllowedOffers } from './require-stay-rules.ts';
import { isLiveOrder } from './soft-lock.rules.ts';

/** An order of a partner with the calendar writes that take its time, and the language of its guest. */
export interface TakenOrder extends PendingOrder {
  language: Language;
}

/** Takes the stays of a request at the present price. Its teams are not known yet, so all teams of the key are read. */
export const takeStays = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
): Promise<TakenOrder> => {
  const { items, currency } = request;
  if (items) return takeItems(ctx, request, { items, currency });
  try {
    return await takeItems(ctx, request, { items: [itemOf(ExternalStay.parse(request))], currency });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') throw error;
    const issues = error.details['issues'] as Issue[];
    throw invalid(...issues.map(({ path, message }) => ({ path: path.replace('items[0].', ''), message })));
  }
};

/**
 * Takes what was quoted: a held quote at its held price without reading listing, price or calendar (D43), another at the
 * present price.
 */
export const takeQuoted = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
  { quote, order }: FoundQuote,
  teams: readonly (Team | undefined)[],
): Promise<TakenOrder> => {
  const now = ctx.clock.now();
  if (request.currency !== undefined && request.currency !== quote.currency)
    throw invalid({ path: 'currency', message: `the quote is priced in ${quote.currency}` });
  if (!order) return unlessUsed(ctx, quote, () => takeItems(ctx, request, quote, quote.quote_id));
  if (!isLiveOrder(order, now)) throw quoteUsed(order);
  const { accepts, missing } = keyListings(ctx.caller);
  if (!order.items.every(accepts)) throw missing();
  requireExpectedTotal(request.expected_total, () => heldPreview(order));
  const calendar = confirmHolds(ctx.table, order, now, () => new ConflictError('CalendarMonth'));
  return { order, isNew: false, calendar, language: languageOf(ctx.caller, request, order.items[0], teams) };
};

const takeItems = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
  asked: { items: readonly CheckoutItem[]; currency?: string | undefined },
  orderId?: number,
): Promise<TakenOrder> => {
  const loaded = await loadAllowedOffers(ctx, {
    items: asked.items,
    currency: asked.currency,
    ...keyListings(ctx.caller),
    extras: languageReads(ctx.caller, request),
  });
  takeAll(loaded);
  requireExpectedTotal(request.expected_total, () => presentAvailable(ctx, loaded));
  return {
    order: draftOrder(ctx, loaded, ctx.clock.now(), orderId),
    isNew: true,
    calendar: loaded.draft.writes(),
    language: languageOf(ctx.caller, request, loaded.offers[0]?.listing, loaded.extras),
  };
};

/** Returns the reads of the key's teams, where the guest's language is that of a team. */
export const languageReads = (
  { team_ids }: PartnerCaller,
  { guest_info }: ExternalBookingRequest,
): Read<Team>[] => (guest_info.language === undefined ? team_ids.map(teamRead) : []);

const languageOf = (
  { team_ids }: PartnerCaller,
  { guest_info }: ExternalBookingRequest,
  first: { team_id: number } | undefined,
  teams: readonly (Team | undefined)[],
): Language => guest_info.language ?? guestLanguage(teams[team_ids.indexOf(first?.team_id ?? 0)]);

const itemOf = ({
  listing_id,
  check_in_date,
  check_out_date,
  guest_number,
  ...rest
}: ExternalStay): CheckoutItem => ({
  listing_id,
  check_in_date,
  check_out_date,
  guest_number,
  check_in_time: rest.check_in_time,
  check_out_time: rest.check_out_time,
  adult_number: rest.adult_number,
  children_number: rest.children_number,
  combo_id: rest.combo_id,
  extra_service_ids: rest.extra_service_ids,
});
