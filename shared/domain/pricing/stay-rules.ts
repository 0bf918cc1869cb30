import { isDeepStrictEqual } from 'node:util';
import type { EventDataOf } from '../../events.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type Issue } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { listingPartition, requireVisible } from '../listing/model.ts';
import type { PriceParts } from './price-parts.entity.ts';
import { putPriceParts, readHostedPricing, readPricing, stayRuleChanges } from './price-parts.store.ts';
import { requireRoom } from './price-parts.ts';
import { presentStayRules } from './stay-rules.rules.ts';
import type { ListedStayRules, PutStayRules, StayRules } from './stay-rules.schema.ts';

/** Returns which stays a listing takes (D78). */
export const readStayRules = async (ctx: Context, listingId: number): Promise<StayRules> => {
  const { listing, parts } = await readPricing(ctx, listingId);
  requireVisible(ctx.caller, listing);
  return presentStayRules(listingId, parts.stay_rules);
};

/** Throws VALIDATION_ERROR for ids that are not of rules of the listing, or are given twice. */
const requireKnownIds = (rules: PutStayRules['date_rules'], before: ListedStayRules | undefined): void => {
  const known = new Set(before?.date_rules.map(({ id }) => id));
  const issues = rules.flatMap(({ id }, at): Issue[] =>
    id === undefined || known.delete(id)
      ? []
      : [
          {
            path: `date_rules[${at}].id`,
            message: 'must be the id of a rule of the listing, once; leave it out for a new rule',
          },
        ],
  );
  if (issues.length > 0) throw invalid(...issues);
};

type Changed = Omit<EventDataOf<'listing.rules_changed'>, 'id'>;

/** Returns which rules differ, and the dates that they are of; undefined if none does. */
const changedRules = (parts: PriceParts, next: PriceParts): Changed | undefined => {
  const changes = stayRuleChanges(parts, next);
  const changed = changes.map(({ field }) => field as Changed['changed'][number]);
  if (changed.length === 0) return undefined;
  const rules = changed.every((field) => field === 'date_rules')
    ? differing(parts.stay_rules?.date_rules ?? [], next.stay_rules?.date_rules ?? [])
    : [];
  const [first] = rules.map(({ date_from }) => date_from).sort();
  const last = rules
    .map(({ date_to }) => date_to)
    .sort()
    .at(-1);
  return { changed, date_from: first ?? null, date_to: last ?? null };
};

/**
 * Returns the rules of both lists, which are not the same, without those that both begin or end with: a later rule wins, so the
 * order counts. No two rules of a list have the same id.
 */
const differing = <Rule>(before: readonly Rule[], after: readonly Rule[]): Rule[] => {
  let head = 0;
  while (before[head] && isDeepStrictEqual(before[head], after[head])) head++;
  let tail = 0;
  while (before.at(-1 - tail) && isDeepStrictEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  return [before, after].flatMap((rules) => rules.slice(head, rules.length - tail));
};

/** Replaces the stay rules of a listing. They bind what is booked from now on, not holds and bookings (D78). What does not change them writes nothing. */
export const putStayRules = (ctx: Context, listingId: number, input: PutStayRules): Promise<StayRules> =>
  retryOnConflict(async () => {
    const { listing, parts } = await readHostedPricing(ctx, listingId);
    requireKnownIds(input.date_rules, parts.stay_rules);
    const identified = input.date_rules.map(({ id = newId(ctx.clock), ...rule }) => ({ id, ...rule }));
    const next: PriceParts = { ...parts, stay_rules: { ...input, date_rules: identified } };
    requireRoom(next);
    const changed = changedRules(parts, next);
    const answer = presentStayRules(listing.id, next.stay_rules);
    if (!changed) return answer;
    return ctx.commit(
      [
        ...putPriceParts(ctx, { listing, parts }, next, 'stay_rules'),
        recordEvent(ctx, {
          subject: listingPartition(listing.id),
          event_type: 'listing.rules_changed',
          team_id: listing.team_id,
          data: { id: listing.id, ...changed },
        }),
      ],
      answer,
    );
  });
