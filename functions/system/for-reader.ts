import { exampleUrls, withDatesAt } from '../../shared/platform/http/shown-examples.ts';

interface Reader {
  serverUrl: string;
  now: number;
  /** A laptop is its own partner and platform in the examples. */
  isLocal: boolean;
}

/** Returns a text with the dates of its examples ahead of `now`, and addresses that the reader can call. */
export const forReader = (text: string, { serverUrl, now, isLocal }: Reader): string => {
  const here = withDatesAt(text, now).replaceAll(exampleUrls.api, serverUrl);
  return isLocal
    ? here
        .replaceAll(exampleUrls.webhook, `${serverUrl}/_local/webhook`)
        .replaceAll(exampleUrls.calendar, `${serverUrl}/_local/calendar.ics`)
    : here;
};
