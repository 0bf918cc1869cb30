import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { Reply } from '../../shared/platform/http/reply.ts';
import type { Input } from '../../shared/platform/http/route.ts';
import type { systemRoutes } from './routes.ts';

const contentTypes = {
  'swagger-ui.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
};

/** Script and style of the docs page: files beside the bundle, where the build has put them. */
export const getDocsAsset = async (
  _: Context,
  { params: { asset } }: Input<(typeof systemRoutes.routes)['getDocsAsset']>,
): Promise<Reply<string>> => {
  try {
    const text = await readFile(join(import.meta.dirname, 'assets', asset), 'utf8');
    const headers = { 'Content-Type': contentTypes[asset], 'Cache-Control': 'public, max-age=86400' };
    return new Reply(text, { headers });
  } catch (cause) {
    throw new ServiceError('NOT_FOUND', undefined, {}, { cause });
  }
};
