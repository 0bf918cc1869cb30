import { type RouteGroup } from '../shared/platform/http/route.ts';
import { systemRoutes } from './system/routes.ts';

/** The route table: gateway, authorizer rules, functions, documents and refusal tests are derived from it. */
export const routeGroups: readonly RouteGroup[] = [systemRoutes];
