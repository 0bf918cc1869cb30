/**
 * Keeps no discovered endpoints: the service's client does not discover any. The bundler replaces the SDK's cache with it,
 * which brings 8 KB of collections along.
 */
export class EndpointCache {
  get(): undefined {
    return undefined;
  }
  getEndpoint(): undefined {
    return undefined;
  }
  has(): boolean {
    return false;
  }
  set(): void {
    // Nothing is kept.
  }
  delete(): void {
    // Nothing is kept.
  }
  clear(): void {
    // Nothing is kept.
  }
}
