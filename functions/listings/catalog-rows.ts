import {
  AmenityCategories,
  AmenityQuery,
  CatalogItems,
  CatalogQuery,
  ListingAmenities,
} from '../../shared/domain/listing/catalog.schema.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { listingId } from './listing-rows.ts';

const tag = 'Reference data';
const description = 'May be kept for 24 hours; with `If-None-Match` what is unchanged is answered 304.';

const grill = { amenity_id: 704, amenity_name: 'Bếp nướng BBQ', amenity_code: 'bbq_grill' };
const outdoor = { id: 7, name: 'Ngoài trời', code: 'outdoor' };

/** Catalogs and amenities. */
export const catalogRows = {
  listCatalogs: {
    method: 'GET',
    path: '/api/v1/catalogs',
    access: 'public',
    objective: 'search',
    tag,
    summary: 'The catalogs of property types, listing types and views',
    description,
    query: CatalogQuery,
    status: 200,
    reply: CatalogItems,
    errors: [],
    examples: {
      reply: {
        items: [
          {
            id: 3,
            catalog_type: 'property_type',
            code: 'villa',
            name_vi: 'Biệt thự',
            name_en: 'Villa',
            icon: 'villa',
            display_order: 3,
            is_active: true,
          },
        ],
      },
    },
  },
  listAmenities: {
    method: 'GET',
    path: '/api/v1/amenities',
    access: 'public',
    objective: 'search',
    tag,
    summary: 'The amenities a listing may offer, by group',
    description,
    query: AmenityQuery,
    status: 200,
    reply: AmenityCategories,
    errors: [],
    examples: {
      reply: {
        categories: [
          {
            ...outdoor,
            name_vi: 'Ngoài trời',
            name_en: 'Outdoor',
            icon: 'deck',
            display_order: 7,
            amenities: [
              {
                id: 704,
                ...grill,
                name_vi: 'Bếp nướng BBQ',
                name_en: 'BBQ grill',
                icon: 'outdoor_grill',
                display_order: 4,
              },
            ],
          },
        ],
      },
    },
  },
  listListingAmenities: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}/amenities',
    access: 'customer',
    objective: 'search',
    tag: 'Listings',
    summary: 'The amenities of a listing, by group',
    params: listingId,
    status: 200,
    reply: ListingAmenities,
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      reply: {
        categories: [
          {
            ...outdoor,
            amenities: [
              {
                id: 369_435_906_932_811,
                ...grill,
                is_private: false,
                is_chargeable: true,
                price: 150_000,
              },
            ],
          },
        ],
      },
    },
  },
} as const satisfies Routes;
