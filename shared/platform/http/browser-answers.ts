import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import { once } from '../once.ts';
import {
  type AllowedOrigins,
  allowedOrigins,
  allowsOrigin,
  corsHeaders,
  opensToBrowsers,
  opensToPages,
  varyByOrigin,
} from './cors.ts';
import { headerOf } from './header.ts';
import type { Answer } from './reply.ts';
import type { Route } from './route.ts';

interface Passing {
  event: APIGatewayProxyEvent;
  response: Answer | null;
}

/** Lets browsers of the allowed origins read every response, errors included (D99); of routes of pages, those of the key (D144). */
export class BrowserAnswers {
  readonly #routeOf: (event: APIGatewayProxyEvent) => Route | undefined;
  readonly #origins = once(() => allowedOrigins());
  readonly #opened = new WeakMap<APIGatewayProxyEvent, AllowedOrigins>();

  constructor(routeOf: (event: APIGatewayProxyEvent) => Route | undefined) {
    this.#routeOf = routeOf;
  }

  /**
   * Lets browsers of the key's origins read the answer to this request, besides those of the stage. Throws FORBIDDEN for a
   * browser of another origin; a request without an origin is not one of a page elsewhere.
   */
  open(event: APIGatewayProxyEvent, origins: readonly string[]): void {
    const { listed, loopback } = this.#origins();
    const opened = { listed: [...listed, ...origins], loopback };
    this.#opened.set(event, opened);
    const origin = headerOf(event, 'Origin');
    if (origin !== undefined && !allowsOrigin(opened, origin))
      throw new ServiceError('FORBIDDEN', `This key is not for pages of ${origin}.`);
  }

  readonly #write = ({ event, response }: Passing): void => {
    const route = this.#routeOf(event) ?? { access: 'public' };
    if (!opensToBrowsers(route)) return;
    const origins = this.#opened.get(event) ?? this.#origins();
    const vary = opensToPages(route) ? varyByOrigin : {};
    Object.assign(response?.headers ?? {}, vary, corsHeaders(origins, headerOf(event, 'Origin')));
  };

  readonly middleware = { after: this.#write as never, onError: this.#write as never };
}
