import * as z from 'zod';
import { defineRoutes } from '../../shared/platform/http/route.ts';

const Health = z
  .object({
    status: z.literal('ok'),
    version: z.string().meta({ description: 'Version of the service that answers.', examples: ['0.1.0'] }),
    commit: z
      .string()
      .meta({ description: 'Git commit that was deployed; `-dirty` at its end if files differed from it.' })
      .optional(),
  })
  .meta({ id: 'Health' });

const commit = '9fceb02d0ae598e95dc970b74767f19372d61af8';

const DocsAsset = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+(\.(css|js|json))?$/)
  .meta({ description: 'A page, such as `partners`, or a file of the pages.' });

/** What needs no authentication: is it up, and how is it used (D70). */
export const systemRoutes = defineRoutes('system', {
  getRoot: {
    method: 'GET',
    path: '/',
    access: 'public',
    tag: 'System',
    summary: 'Leads to the docs page',
    status: 302,
    reply: { contentType: 'text/plain; charset=utf-8', meaning: 'Nothing; `Location` names the docs page.' },
    errors: [],
    examples: { reply: '' },
  },
  getHealth: {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    tag: 'System',
    summary: 'Whether the service is up, its version and commit',
    status: 200,
    reply: Health,
    errors: [],
    examples: { reply: { status: 'ok', version: '0.1.0', commit } },
  },
  getOpenApiDocument: {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    tag: 'System',
    summary: 'This API as an OpenAPI 3.1 document',
    status: 200,
    reply: { contentType: 'application/json; charset=utf-8', meaning: 'The OpenAPI 3.1 document.' },
    errors: [],
    examples: { reply: '{"openapi":"3.1.1","info":{"title":"Nightlatch","version":"0.1.0"}}' },
  },
  getDocs: {
    method: 'GET',
    path: '/docs',
    access: 'public',
    tag: 'System',
    summary: 'The documentation: guides, and every operation to read and to try',
    status: 200,
    reply: { contentType: 'text/html; charset=utf-8', meaning: 'A page that needs nothing from elsewhere.' },
    errors: [],
    examples: { reply: '<!doctype html><title>Nightlatch API</title>' },
  },
  getDocsAsset: {
    method: 'GET',
    path: '/docs/{asset}',
    access: 'public',
    tag: 'System',
    summary: 'A page of the documentation, its script, style or search index',
    params: z.strictObject({ asset: DocsAsset }),
    query: z.strictObject({
      v: z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'The version that a page names, so that no reader has an old file.' }),
    }),
    status: 200,
    reply: { contentType: 'text/html; charset=utf-8', meaning: 'The page; a file has its own content type.' },
    errors: ['NOT_FOUND'],
    examples: {
      params: { asset: 'partners' },
      reply: '<!doctype html><title>Partners – Nightlatch API</title>',
    },
  },
});
