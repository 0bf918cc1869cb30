import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../shared/platform/errors.ts';
import { nearestPath } from '../../shared/platform/http/nearest-path.ts';

/** NOT_FOUND of a path that no row has, with the one that is probably meant (D101); the rows are loaded at the first. */
export const unknownPath = async ({ path }: APIGatewayProxyEvent): Promise<ServiceError> => {
  const { routeGroups } = await import('../routes.ts');
  const paths = routeGroups.flatMap(({ routes }) => Object.values(routes).map((route) => route.path));
  const near = nearestPath(path, paths);
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new ServiceError(
    'NOT_FOUND',
    `There is no path ${shown}. ${near === undefined ? 'All paths are in /openapi.json.' : `Did you mean ${near}?`}`,
    near === undefined ? {} : { did_you_mean: near },
  );
};
