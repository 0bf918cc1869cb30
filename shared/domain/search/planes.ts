import { AmenityPlane, packAmenities, packTexts, TextPlane } from './choice-planes.ts';
import { hoursByMonth, HourPlane, packHours } from './hour-plane.ts';
import { packPlaces, PlacePlane, placeRow } from './place-plane.ts';
import { packPrices, PricePlane, priceRow } from './price-plane.ts';
import type { SearchDocument } from './search-document.ts';
import { packStayRules, StayRulePlane, stayRuleRow } from './stay-rule-plane.ts';

/** Further planes are the taken hours of a month, by its name. */
export interface Planes {
  place: PlacePlane;
  price: PricePlane;
  amenity: AmenityPlane;
  text: TextPlane;
  /** In chunks with such a listing. */
  stay_rule: StayRulePlane;
}
export type Plane = Planes[keyof Planes] | HourPlane;

interface PlaneKind<Row> {
  pack: (rows: readonly (Row | undefined)[]) => Uint8Array;
  open: (packed: Uint8Array) => Plane & { row: (slot: number) => Row | undefined };
}

const kindOf = <Row>(kind: PlaneKind<Row>) => kind as PlaneKind<unknown>;

const kinds: Record<keyof Planes, PlaneKind<unknown>> = {
  place: kindOf({ pack: packPlaces, open: (packed) => new PlacePlane(packed) }),
  price: kindOf({ pack: packPrices, open: (packed) => new PricePlane(packed) }),
  amenity: kindOf({ pack: packAmenities, open: (packed) => new AmenityPlane(packed) }),
  text: kindOf({ pack: packTexts, open: (packed) => new TextPlane(packed) }),
  stay_rule: kindOf({ pack: packStayRules, open: (packed) => new StayRulePlane(packed) }),
};
const hours = kindOf({ pack: packHours, open: (packed) => new HourPlane(packed) });

export const planeKind = (name: string): PlaneKind<unknown> =>
  isMonth(name) ? hours : kinds[name as keyof Planes];

/**
 * Returns the row of a listing in each plane; months before `firstMonth` are never asked for.
 *
 * @param revision that of its entry
 */
export const rowsOf = (
  document: SearchDocument,
  { revision, firstMonth }: { revision: number; firstMonth: string },
): Map<string, unknown> => {
  const rules = stayRuleRow(document);
  return new Map<string, unknown>([
    ['place', placeRow(document, revision)],
    ['price', priceRow(document)],
    ['amenity', document.amenity_ids],
    ['text', document.words.map((field) => field.join(' '))],
    ...(rules ? [['stay_rule', rules] as const] : []),
    ...[...hoursByMonth(document.taken)].filter(([month]) => month >= firstMonth),
  ]);
};

/** Whether a listing may have no row in a plane, so that its slot must be emptied for the next one. */
export const isOptional = (name: string): boolean => isMonth(name) || name === 'stay_rule';

/** Whether a plane is that of a month, by its name. */
export const isMonth = (name: string): boolean => !(name in kinds);
