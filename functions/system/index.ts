import type { Dependencies } from '../../shared/platform/context.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { knowingApiUrl } from '../../shared/platform/http/api-url.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { getDocs } from './get-docs.ts';
import { getDocsAsset } from './get-docs-asset.ts';
import { getHealth } from './get-health.ts';
import { getOpenApiDocument } from './get-openapi-document.ts';
import { getRoot } from './get-root.ts';
import { unknownPath } from './unknown-path.ts';
import { systemRoutes } from './routes.ts';

const group = serve(
  systemRoutes,
  { getRoot, getHealth, getOpenApiDocument, getDocs, getDocsAsset },
  { unknownPath },
);

/** The system routes over any dependencies. */
export const system = (deps: () => Dependencies) => knowingApiUrl(group(deps));

/** The Lambda handler of health, OpenAPI document, docs page, and of every path that is none. */
export const handler = system(environment);
