import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

/** Returns a header of a request, empty if it has none. */
export const headerOf = (event: APIGatewayRequestAuthorizerEvent, name: string): string =>
  Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? '';
