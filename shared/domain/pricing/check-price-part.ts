import { invalid, type Issue } from '../../platform/errors.ts';
import { moneyIssues } from '../listing/index.ts';
import { type PartKind, partKinds, type PartOf } from './price-part-kinds.ts';
import type { PriceParts } from './price-parts.entity.ts';

/** What all parts of a listing may take together: they are one item, and every price reads it. */
const largestBytes = 300_000;

/** Every reason to refuse a whole part, merged with what it was before: cross-field rules, and the currency's minor unit. */
export const checkPricePart = <K extends PartKind>(kind: K, part: PartOf<K>, currency: string): void => {
  const { issues: rulesOf, money } = partKinds[kind];
  const amounts = Object.fromEntries(money.map((field) => [field, Number(part[field])]));
  const issues: Issue[] = [...rulesOf(part), ...moneyIssues(amounts, currency)];
  if (issues.length > 0) throw invalid(...issues);
};

/** Refuses more parts of a kind than a listing takes, and more text than one item holds. */
export const checkRoom = (kind: PartKind, parts: PriceParts): void => {
  const { name, most } = partKinds[kind];
  if (parts[kind].length > most)
    throw invalid({ path: 'listing_id', message: `has ${most} ${name}s already, the most a listing takes` });
  if (Buffer.byteLength(JSON.stringify(parts)) > largestBytes)
    throw invalid({ path: '', message: 'The price parts of the listing are too large together.' });
};
