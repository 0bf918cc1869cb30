import type { Context } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import type { Reply } from '../../shared/platform/http/reply.ts';
import type { Input } from '../../shared/platform/http/route.ts';
import type { systemRoutes } from './routes.ts';
import { siteAsset, sitePage } from './site.ts';

/** A page of the documentation, or its script, style or search index. */
export const getDocsAsset = async (
  ctx: Context,
  { params: { asset } }: Input<(typeof systemRoutes.routes)['getDocsAsset']>,
): Promise<Reply<string>> => {
  try {
    return await (asset.includes('.') ? siteAsset(asset) : sitePage(asset, ctx));
  } catch (cause) {
    throw new ServiceError('NOT_FOUND', undefined, {}, { cause });
  }
};
