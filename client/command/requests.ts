import { setTimeout as wait } from 'node:timers/promises';
import { type Target, UsageError } from './settings.ts';

/** A request as the laptop's gateway lists it. */
interface SeenRequest {
  number: number;
  at: string;
  method: string;
  path: string;
  parameters: string[];
  status: number;
  code: string | null;
  duration_ms: number;
  request_id: string | null;
  is_replayed: boolean;
}

interface TailOptions {
  follow: boolean;
  print: (line: string) => void;
  signal: AbortSignal;
}

const pollMs = 500;

/** Prints the recent requests of the key, and then each new one. */
export const tailRequests = async (
  { baseUrl, apiKey }: Target,
  { follow, print, signal }: TailOptions,
): Promise<void> => {
  for (let after = 0; ;) {
    const response = await fetch(`${baseUrl}/_local/requests?after=${after}`, {
      headers: { 'X-API-Key': apiKey },
      signal,
    });
    if (!response.ok)
      throw new UsageError('Requests can be listed only on a laptop: `npm start` keeps the recent ones.');
    const { items } = (await response.json()) as { items: SeenRequest[] };
    for (const seen of items) print(lineOf(seen));
    after = items.at(-1)?.number ?? after;
    if (!follow) return;
    await wait(pollMs, undefined, { signal });
  }
};

const lineOf = ({ at, method, path, parameters, status, ...seen }: SeenRequest): string =>
  [
    at.slice(11, 19),
    String(status),
    method.padEnd(6),
    parameters.length > 0 ? `${path}?${parameters.join('&')}` : path,
    ...(seen.code === null ? [] : [seen.code]),
    ...(seen.is_replayed ? ['replayed'] : []),
    `${seen.duration_ms} ms`,
    seen.request_id ?? '',
  ].join(' ');
