import { NonRetryableFetchError } from 'aws-jwt-verify/error';
import { type Fetcher } from 'aws-jwt-verify/https';

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Fetches over plain http, from this machine only: the library's own fetcher refuses http altogether. */
export const loopbackFetcher: Fetcher = {
  fetch: async (uri) => {
    if (!loopbackHosts.has(new URL(uri).hostname))
      throw new NonRetryableFetchError(uri, 'plain http is for loopback addresses only');
    let response: Response;
    try {
      response = await fetch(uri, { signal: AbortSignal.timeout(3000), redirect: 'error' });
    } catch (error) {
      throw new NonRetryableFetchError(uri, error);
    }
    if (!response.ok) throw new NonRetryableFetchError(uri, `status ${response.status}`);
    return response.arrayBuffer();
  },
};
