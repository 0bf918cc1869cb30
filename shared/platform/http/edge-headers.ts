/**
 * What CloudFront adds to each request before the gateway: the address of its viewer, and a secret that shows that it is ours. The
 * address of a request without the secret is the one that the gateway has seen.
 */
export const edgeHeaders = { viewer: 'X-Viewer-Address', secret: 'X-Origin-Verify' } as const;
