import type { Context } from '../../shared/platform/context.ts';
import { isLocal } from '../../shared/platform/environment/env.ts';
import { apiUrl } from '../../shared/platform/http/api-url.ts';
import { dayMs } from '../../shared/platform/time/time.ts';
import { documentText } from './document-text.ts';
import { forReader } from './for-reader.ts';

const kept = new Map<string, string>();
/** Addresses under which one instance is asked in turn: a custom domain and the gateway's own. */
const mostKept = 4;

/**
 * The OpenAPI document of the whole API, with the address that it was asked at and the dates of the day. Read at the first
 * request, so that no other start pays for it (D70).
 */
export const getOpenApiDocument = async ({ clock }: Pick<Context, 'clock'>): Promise<string> => {
  const [serverUrl, now] = [apiUrl(), clock.now()];
  const name = `${Math.floor(now / dayMs)} ${serverUrl}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const text = forReader(await documentText(), { serverUrl, now, isLocal: isLocal() });
  if (kept.size >= mostKept) kept.clear();
  kept.set(name, text);
  return text;
};
