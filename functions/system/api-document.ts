import { BookingDetailFields, BookingListFields } from '../../shared/domain/booking/booking.schema.ts';
import { ListingFields } from '../../shared/domain/listing/listing.schema.ts';
import { outgoingEvents, PartnerEventFrame } from '../../shared/domain/webhook/partner-event.schema.ts';
import { openApiDocument } from '../../shared/platform/http/openapi.ts';
import { PageFields } from '../../shared/platform/schema/schema.ts';
import { routeGroups } from '../routes.ts';
import { about, tags } from './about.ts';
import { partnerGuide } from './partner-guide.ts';

/** Returns the OpenAPI document of the whole API, with its examples as they are written. */
export const apiDocument = ({ serverUrl, version }: { serverUrl: string; version: string }) =>
  openApiDocument({
    groups: routeGroups,
    title: 'Nightlatch',
    version,
    description: `${about}\n\n${partnerGuide()}`,
    serverUrl,
    tags,
    parts: [PageFields, ListingFields, BookingListFields, BookingDetailFields, PartnerEventFrame],
    webhooks: outgoingEvents(),
  });
