import { ListingEntity } from './listing.entity.ts';

/** What a BatchGet takes to read a listing. */
export const listingRead = (id: number) => ({ key: ListingEntity.key({ id }) });
