import { serviceVersion } from './version.ts';

/** Whether the service is up: it answers, so it is (D70). */
export const getHealth = async (): Promise<{ status: 'ok'; version: string; commit?: string }> => {
  const commit = process.env['SERVICE_COMMIT'];
  return { status: 'ok', version: serviceVersion(), ...(commit === undefined ? {} : { commit }) };
};
