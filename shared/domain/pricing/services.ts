import type { Issue } from '../../platform/errors.ts';
import { roundMoney } from '../../platform/money.ts';
import type { ExtraService } from './extra-service.schema.ts';
import type { Line } from './lines.ts';
import type { CheckoutItem } from './quote.schema.ts';
import type { RateCard } from './rate-card.ts';

/** A service with how often it is charged. */
export interface ChosenService {
  service: ExtraService;
  quantity: number;
}

const quantityOf = ({ price_unit }: ExtraService, nights: number, guests: number): number => {
  switch (price_unit) {
    case 'per_use':
      return 1;
    case 'per_night':
      return Math.max(1, nights);
    case 'per_person':
      return guests;
  }
};

const offered = ({ listing, services }: RateCard): ExtraService[] =>
  services.filter(({ is_active, listing_id }) => is_active && listing_id === listing.id);

/** Asked-for services that the listing does not offer (D40). */
export const serviceIssues = (card: RateCard, item: CheckoutItem): Issue[] => {
  const known = new Set(offered(card).map(({ id }) => id));
  return (item.extra_service_ids ?? []).flatMap((id, position) =>
    known.has(id)
      ? []
      : [
          {
            path: `extra_service_ids[${position}]`,
            message: `${id} is no active extra service of the listing`,
          },
        ],
  );
};

/** Every active required service and those asked for, each once (D40). */
export const chosenServices = (card: RateCard, item: CheckoutItem, nights: number): ChosenService[] =>
  offered(card)
    .filter(({ id, is_required }) => is_required || (item.extra_service_ids ?? []).includes(id))
    .map((service) => ({ service, quantity: quantityOf(service, nights, item.guest_number) }));

export const serviceLine = ({ service, quantity }: ChosenService, currency: string): Line => ({
  kind: 'service',
  label: service.service_name,
  quantity,
  unitPrice: roundMoney(service.price, currency),
  source: `service:${service.id}`,
});
