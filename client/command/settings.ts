import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which service, and with which key. */
export interface Target {
  baseUrl: string;
  apiKey: string;
}

/** A mistake of the person at the keyboard: shown without a stack. */
export class UsageError extends Error {}

interface Given {
  url?: string | undefined;
  key?: string | undefined;
}

/** Returns address and key: as given, from the environment, or of the service that runs on this laptop. */
export const targetOf = (given: Given, env: NodeJS.ProcessEnv): Target => {
  const file = join(env['LOCAL_DIR'] ?? '.local', 'ready.json');
  const ready = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { api_url?: string; demo?: { api_key?: string } })
    : {};
  const baseUrl = given.url ?? env['NIGHTLATCH_URL'] ?? ready.api_url;
  const apiKey = given.key ?? env['NIGHTLATCH_API_KEY'] ?? ready.demo?.api_key;
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    throw new UsageError('Which service? Give --url, or set NIGHTLATCH_URL, or run `npm start`.');
  if (apiKey === undefined)
    throw new UsageError('Which key? Give --key, or set NIGHTLATCH_API_KEY, or run `npm start`.');
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey };
};
