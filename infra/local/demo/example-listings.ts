import { policiesExample } from '../../../functions/listings/house-rows.ts';
import { createListing, createParkingRule, putPolicies } from '../../../shared/domain/listing/index.ts';
import { ListingCreate } from '../../../shared/domain/listing/model.ts';
import {
  comboExample,
  pricingRuleExample,
  serviceBodyExample,
} from '../../../shared/domain/pricing/price-example.schema.ts';
import { CreateExtraService } from '../../../shared/domain/pricing/model.ts';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import { addPricePart, bulkPrices, putStayRules } from '../../../shared/domain/pricing/index.ts';
import { putStayRulesExample } from '../../../shared/domain/pricing/stay-rules-example.schema.ts';
import { PutStayRules } from '../../../shared/domain/pricing/stay-rules.schema.ts';
import { exampleIds as ids } from '../../../shared/platform/http/example-records.ts';
import { exampleDate } from '../../../shared/platform/http/shown-examples.ts';
import { dayMs } from '../../../shared/platform/time/time.ts';
import { asUser, depsAt, type ExampleStage } from './callers.ts';

/** The listing of the examples, as a host would create it. */
const villa = ListingCreate().parse({
  ...Object.fromEntries(
    Object.entries(listingExample).filter(([name]) => name in ListingCreate().shape && name !== 'images'),
  ),
  wifi_name: 'DaLat12',
  wifi_password: 'thong-xanh-2027',
  door_code: { code: '9153#' },
  commission_rate: 0.15,
});

/** Creates the listings of the examples with their price parts, parking rules and policies. */
export const seedExampleListings = async ({ deps, host }: ExampleStage): Promise<void> => {
  const now = deps.clock.now();
  // Older than the stays that have ended.
  const created = now - 60 * dayMs;
  const as = (...next: number[]) => asUser(depsAt(deps, created, ...next), host);
  await createListing(as(ids.listing), villa);
  await createListing(as(ids.lakeHouse), {
    ...villa,
    name: 'Nhà gỗ bên hồ',
    slug: 'nha-go-ben-ho',
    latitude: 11.9441,
    instant_book_enabled: false,
  });
  await createListing(as(ids.draft), {
    ...villa,
    name: 'Nhà đang sửa',
    slug: 'nha-dang-sua',
    state: 'DRAFT',
  });
  await putPolicies(as(), ids.listing, { ...policiesExample, refund_rule: villa.refund_rule });
  for (const [id, vehicle_type] of [
    [ids.parkingRule, 'car'],
    [ids.parkingRuleToDelete, 'motorbike'],
  ] as const)
    await createParkingRule(as(id), ids.listing, {
      vehicle_type,
      is_free: false,
      price: 100_000,
      location_type: 'nearby',
      distance_in_meters: 150,
      description: 'Guarded car park behind the market.',
    });
  await seedPriceParts(as, now);
  const nights = { date_from: exampleDate('2027-02-05', now), date_to: exampleDate('2027-02-10', now) };
  await bulkPrices(asUser(depsAt(deps, now, ids.bulk), host), {
    listing_ids: [ids.draft],
    date_ranges: [{ ...nights, weekdays: null }],
    change: { percent: 10 },
    dry_run: false,
  });
};

/** The fields of an example's record that its maker gives. */
const ownFields = <Part extends { id: number; listing_id: number }>({
  id: _,
  listing_id: __,
  ...fields
}: Part) => fields;

/** Of each kind of price part one to change and one to delete, on dates that no example stays on. */
const seedPriceParts = async (
  as: (...next: number[]) => ReturnType<typeof asUser>,
  now: number,
): Promise<void> => {
  for (const [id, service_name] of [
    [ids.service, 'Breakfast'],
    [ids.serviceToDelete, 'Bicycle'],
  ] as const)
    await addPricePart(as(id), 'services', ids.listing, {
      ...CreateExtraService.parse(serviceBodyExample),
      service_name,
    });
  for (const [id, name] of [
    [ids.combo, 'Weekend night'],
    [ids.comboToDelete, 'Short night'],
  ] as const)
    await addPricePart(as(id), 'combos', ids.listing, { ...ownFields(comboExample), name });
  for (const [id, from, to] of [
    [ids.pricingRule, '2027-06-07', '2027-06-10'],
    [ids.pricingRuleToDelete, '2027-06-14', '2027-06-17'],
  ] as const)
    await addPricePart(as(id), 'rules', ids.listing, {
      ...ownFields(pricingRuleExample),
      date_from: exampleDate(from, now),
      date_to: exampleDate(to, now),
    });
  const { date_rules: dated, ...stayRules } = putStayRulesExample;
  await putStayRules(
    as(ids.stayRule),
    ids.listing,
    PutStayRules.parse({
      ...stayRules,
      date_rules: dated.map((rule) => ({
        ...rule,
        date_from: exampleDate(rule.date_from, now),
        date_to: exampleDate(rule.date_to, now),
      })),
    }),
  );
};
