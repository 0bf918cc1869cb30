import { serviceVersion } from './version.ts';

/** Whether the service is up: it answers, so it is (D70). */
export const getHealth = async (): Promise<{ status: 'ok'; version: string }> => ({
  status: 'ok',
  version: serviceVersion(),
});
