import type * as z from 'zod';
import { ExternalListing } from './external-listing.schema.ts';

/** A listing as a page shows it to people who have not signed in (D144). */
export const StayListing = ExternalListing.omit({
  ...{ address: true, place_id: true, checkin_guide_url: true, view_count: true },
  ...{ wifi_name: true, wifi_password: true, door_code: true, commission_rate: true },
}).meta({ id: 'StayListing', description: 'Latitude and longitude are rounded to about a kilometre.' });
export type StayListing = z.input<typeof StayListing>;
