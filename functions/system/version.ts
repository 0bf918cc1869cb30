/** The version of the service; the bundler writes it in. */
export const serviceVersion = (): string => process.env['SERVICE_VERSION'] ?? '0.0.0';
