import { routeGroups } from '../../functions/routes.ts';
import { isDocument, type Route } from '../../shared/platform/http/route.ts';

/** A row of the route table that the client calls. */
export interface ClientOperation {
  id: string;
  route: Route;
}

/** Returns the rows that programs call: not pages and files, and not what only payment gateways call. */
export const clientOperations = (): ClientOperation[] =>
  routeGroups.flatMap(({ routes }) =>
    Object.entries(routes)
      .filter(([, route]) => !isDocument(route.reply) && !route.raw)
      .map(([id, route]) => ({ id, route })),
  );

const prefix = '/api/v1/';

/** Returns the table of `client/src/operation.ts`: a line for each operation. */
export const operationLines = (operations: readonly ClientOperation[]): Record<string, string> =>
  Object.fromEntries(
    operations.map(({ id, route }) => {
      const { method, path, idempotent, body, bodyOptional } = route;
      const flags = `${idempotent ? '!' : ''}${body ? (bodyOptional ? '?' : '+') : ''}`;
      return [id, `${method}${flags} ${path.startsWith(prefix) ? path.slice(prefix.length) : path}`];
    }),
  );
