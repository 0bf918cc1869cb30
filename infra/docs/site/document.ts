import { routeGroups } from '../../../functions/routes.ts';
import { outgoingEvents } from '../../../shared/domain/webhook/partner-event.schema.ts';
import type { OpenApiDocument, Operation } from '../../../shared/platform/http/openapi-document.ts';
import { answerExample } from '../../../shared/platform/http/openapi-operation.ts';
import { documentedRows } from '../../../shared/platform/http/openapi.ts';

/** An operation with its place. */
export interface PlacedOperation {
  operation: Operation;
  method: string;
  path: string;
}

/** Returns the operations of a tag, in the order of the document. */
export const operationsOf = ({ paths }: OpenApiDocument, tag: string): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags[0] === tag)
      .map(([method, operation]) => ({ operation, method: method.toUpperCase(), path })),
  );

/** The example of each operation's answer, and of each event. */
export type Examples = ReadonlyMap<string, unknown>;

/** Returns the examples as they are written; the document has what most have in common at its schemas. */
export const writtenExamples = (): Examples =>
  new Map([
    ...documentedRows(routeGroups).map(([id, route]): [string, unknown] => [id, answerExample(route)]),
    ...outgoingEvents().map(({ type, example }): [string, unknown] => [type, example]),
  ]);
