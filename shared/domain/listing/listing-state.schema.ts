import * as z from 'zod';

export const ListingState = z
  .enum(['DRAFT', 'ACTIVE', 'INACTIVE', 'ARCHIVED'])
  .meta({ id: 'ListingState', description: 'State of a listing.' });
export type ListingState = z.infer<typeof ListingState>;

export const ListingType = z
  .enum(['ENTIRE_PLACE', 'PRIVATE_ROOM', 'SHARED_ROOM'])
  .meta({ id: 'ListingType' });
/** When a guest may read Wi-Fi and door code (D109). */
export const AccessRelease = z.enum(['SECURED', 'HOST']).meta({ id: 'AccessRelease' });
export const CheckinMethod = z.enum(['SELF_CHECKIN', 'HOST_CHECKIN', 'BOTH']).meta({ id: 'CheckinMethod' });

export const propertyTypes = [
  'HOUSE',
  'CONDO',
  'VILLA',
  'RESORT',
  'BUNGALOW',
  'FARMSTAY',
  'HOTEL',
  'CAMPSITE',
  'TREEHOUSE',
  'SERVICE_BUILDING',
  'PENTHOUSE',
  'APARTMENT',
] as const;
