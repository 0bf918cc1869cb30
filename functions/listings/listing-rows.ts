import * as z from 'zod';
import { ListingImages } from '../../shared/domain/listing/listing-images.schema.ts';
import { ListingQuery } from '../../shared/domain/listing/listing-query.schema.ts';
import { ListingCreate, ListingUpdate } from '../../shared/domain/listing/listing-input.schema.ts';
import { listingExample, listingSummaryExample } from '../../shared/domain/listing/listing-example.schema.ts';
import { ListingResponse, ListingSummary } from '../../shared/domain/listing/listing.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { Id, pageOf, PathId } from '../../shared/platform/schema/schema.ts';

export const listingId = z.strictObject({ listing_id: PathId });

const hosted = { ...listingExample, commission_rate: 0.15 };
const tag = 'Listings';

/** Listings themselves (D18–D22). */
export const listingRows = {
  createListing: {
    method: 'POST',
    path: '/api/v1/listings',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Creates a listing of the acting team',
    description: 'DRAFT unless `state: ACTIVE` is given. Without `slug` one is made from the name.',
    get body() {
      return ListingCreate();
    },
    status: 201,
    reply: ListingResponse,
    errors: ['SLUG_ALREADY_EXISTS'],
    idempotent: true,
    examples: {
      body: {
        name: 'Biệt thự Đà Lạt',
        listing_type: 'ENTIRE_PLACE',
        property_type: 'VILLA',
        address: '12 Trần Hưng Đạo, Phường 10, Đà Lạt',
        province_code: 'LD',
        capacity: 6,
        guest_included_in_rate: 2,
        full_rate: 1_000_000,
        extra_adult_rate: 100_000,
        cleaning_fee: 200_000,
        refund_rule: 'Full refund until 3 days before check-in.',
        amenities: [{ amenity_id: 201 }, { amenity_id: 704, is_chargeable: true, price: 150_000 }],
        state: 'ACTIVE',
      },
      reply: hosted,
    },
  },
  listListings: {
    method: 'GET',
    path: '/api/v1/listings',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'Listings, newest first',
    description:
      'For a host: those of the acting team (`X-Team-ID`), in every state but ARCHIVED unless `state` asks for it. For all other callers: the ACTIVE ones of the platform; a change shows within seconds. The total is exact up to 1,000.',
    query: ListingQuery,
    status: 200,
    reply: pageOf(ListingSummary),
    errors: ['FORBIDDEN'],
    examples: {
      reply: {
        items: [listingSummaryExample],
        total: 1,
        total_is_exact: true,
        page: 1,
        limit: 20,
        total_pages: 1,
        next_cursor: null,
      },
    },
  },
  getListing: {
    method: 'GET',
    path: '/api/v1/listings/{listing_id}',
    access: 'customer',
    objective: 'search',
    tag,
    summary: 'A listing',
    description:
      'Wi-Fi, door code and commission rate are null without a host role in its team. `view_count` counts the reads of customers; it may lag by minutes.',
    params: listingId,
    status: 200,
    reply: ListingResponse,
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: listingExample },
  },
  updateListing: {
    method: 'PATCH',
    path: '/api/v1/listings/{listing_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Changes what is given of a listing',
    description:
      'Also its state and its parent, to which it takes its stays and blocks along; live soft locks do not move: 409, with `details.soft_locks` and when they end. One with price parts cannot change its currency; one of a family, or with stays, blocks or soft locks ahead, not its time zone.',
    params: listingId,
    get body() {
      return ListingUpdate();
    },
    status: 200,
    reply: ListingResponse,
    errors: ['LISTING_NOT_FOUND', 'SLUG_ALREADY_EXISTS', 'INVALID_STATE_TRANSITION', 'LISTING_NOT_AVAILABLE'],
    examples: { body: { full_rate: 1_000_000, state: 'ACTIVE' }, reply: hosted },
  },
  archiveListing: {
    method: 'DELETE',
    path: '/api/v1/listings/{listing_id}',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Archives a listing',
    description: 'Refused while a stay lies ahead or its guest is in; the slug is free again.',
    params: listingId,
    status: 200,
    reply: z.object({ message: z.string(), listing_id: Id }).meta({ id: 'ArchivedListing' }),
    errors: ['LISTING_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      params: { listing_id: exampleIds.draft },
      reply: { message: 'The listing is archived.', listing_id: exampleIds.draft },
    },
  },
  replaceImages: {
    method: 'PUT',
    path: '/api/v1/listings/{listing_id}/images',
    access: 'host',
    permission: 'manage',
    tag,
    summary: 'Replaces the images of a listing',
    description: 'The bare array is accepted too. An address that stays keeps its id.',
    params: listingId,
    body: ListingImages,
    status: 200,
    reply: ListingResponse,
    errors: ['LISTING_NOT_FOUND'],
    examples: {
      body: { images: [{ url: 'https://images.example.com/da-lat/1.jpg', order: 1 }] },
      reply: hosted,
    },
  },
} as const satisfies Routes;
