import { outgoingEvents } from '../../shared/domain/webhook/partner-event.schema.ts';
import { exampleUrls, withDatesAt } from '../../shared/platform/http/example-records.ts';
import { openApiDocument } from '../../shared/platform/http/openapi.ts';
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
    webhooks: outgoingEvents(),
  });

interface Reader {
  serverUrl: string;
  version: string;
  now: number;
  /** A laptop is its own partner and platform in the examples. */
  isLocal: boolean;
}

/** Returns the document as its reader gets it: dates of the examples ahead of `now`, addresses that can be called. */
export const apiDocumentText = ({ serverUrl, version, now, isLocal }: Reader): string => {
  const text = withDatesAt(JSON.stringify(apiDocument({ serverUrl, version })), now);
  const here = text.replaceAll(exampleUrls.api, serverUrl);
  return isLocal
    ? here
        .replaceAll(exampleUrls.webhook, `${serverUrl}/_local/webhook`)
        .replaceAll(exampleUrls.calendar, `${serverUrl}/_local/calendar.ics`)
    : here;
};
