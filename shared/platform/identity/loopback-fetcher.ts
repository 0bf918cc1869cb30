import { FetchError } from 'aws-jwt-verify/error';
import type { Fetcher } from 'aws-jwt-verify/https';

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

const get = (uri: string) => fetch(uri, { signal: AbortSignal.timeout(3000), redirect: 'error' });

/** Fetches over plain http from loopback addresses only: the library's own fetcher rejects http. */
export const loopbackFetcher: Fetcher = {
  fetch: async (uri) => {
    if (!loopbackHosts.has(new URL(uri).hostname))
      throw new FetchError(uri, 'plain http is for loopback addresses only');
    const response = await get(uri)
      // A restarted provider leaves closed connections in the pool.
      .catch(() => get(uri))
      .catch((error: unknown) => Promise.reject(new FetchError(uri, error)));
    if (!response.ok) throw new FetchError(uri, `status ${response.status}`);
    return response.arrayBuffer();
  },
};
