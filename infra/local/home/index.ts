import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { invalid, ServiceError } from '../../../shared/platform/errors.ts';
import { allowHeader } from '../../../shared/platform/http/gateway-document.ts';
import { browserSafety, errorBody } from '../../../shared/platform/http/reply.ts';
import type { Interceptor } from '../gateway/listen.ts';
import { notificationOf, type SandboxGateway } from '../payments/index.ts';
import { pictureNamed, picturesPath } from '../pictures/index.ts';
import type { Ready } from '../ready.ts';
import type { OpenApiDocument } from '../../../shared/platform/http/openapi-document.ts';
import { collectionOf } from './collection.ts';
import { homePage } from './home-page.ts';
import type { LiveEvents } from './live-events.ts';
import { localCalendar } from './local-calendar.ts';
import { mailboxPage } from './mailbox-page.ts';
import { paymentPage } from './payment-page.ts';
import type { RecentRequests } from './recent-requests.ts';
import { ClockChange, type TestClock } from './test-clock.ts';

export { liveEvents } from './live-events.ts';
export { recentRequests } from './recent-requests.ts';
export { clockVariable, testClock } from './test-clock.ts';

interface HomeParts {
  ready: Ready;
  curlLines: readonly string[];
  clock: TestClock;
  events: LiveEvents;
  requests: RecentRequests;
  /** `[{to, subject, text, html, links, sent_at}]`, newest first. */
  mails: () => unknown;
  /** `[{name, depth, in_flight, dead_letters}]`. */
  queues: () => unknown;
  /** The sandbox gateway. */
  sandbox: SandboxGateway;
}

type Page = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Returns the pages of the local service below `/_local/` (D71). `pages` adds further ones. */
export const homePages = (parts: HomeParts, pages: Record<string, Page> = {}): Interceptor => {
  const { clock, events, requests } = parts;
  const all: Record<string, Page> = {
    'GET /_local/': (_, response) => html(response, homePage(parts.ready, parts.curlLines)),
    'GET /_local': (_, response) => void response.writeHead(302, { Location: '/_local/' }).end(),
    'GET /_local/mailbox': (_, response) => html(response, mailboxPage()),
    'GET /_local/mailbox.json': (_, response) => json(response, 200, parts.mails()),
    'GET /_local/queues.json': (_, response) => json(response, 200, parts.queues()),
    'GET /_local/events': (_, response) => events.stream(response),
    'GET /_local/requests': (request, response) =>
      json(response, 200, { items: requests.list(afterOf(request), keyOf(request)) }),
    'GET /_local/collection.json': async (_, response) => {
      const document = (await (await fetch(`${parts.ready.api_url}/openapi.json`)).json()) as OpenApiDocument;
      json(response, 200, collectionOf(document, parts.ready));
    },
    'GET /_local/clock': (_, response) => json(response, 200, clock.read()),
    'POST /_local/clock': async (request, response) =>
      json(response, 200, clock.change(await readClockChange(request))),
    'DELETE /_local/clock': (_, response) => json(response, 200, clock.reset()),
    // What the examples of the documentation call in the place of a partner and of another platform.
    'POST /_local/webhook': (_, response) => void response.writeHead(204).end(),
    'GET /_local/calendar.ics': (_, response) =>
      send(response, 200, 'text/calendar; charset=utf-8', localCalendar(systemClock.now())),
    ...pages,
  };
  return (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path.startsWith(paymentsPath)) {
      void handle(paymentRoute(parts.sandbox, path.slice(paymentsPath.length)), request, response);
      return true;
    }
    if (path.startsWith(picturesPath)) {
      void handle(pictureRoute(path.slice(picturesPath.length)), request, response);
      return true;
    }
    if (path !== '/_local' && !path.startsWith('/_local/')) return false;
    const found = all[`${request.method ?? 'GET'} ${path}`];
    const methods = Object.keys(all).flatMap((key) => {
      const [method = '', own] = key.split(' ');
      return own === path ? method : [];
    });
    void handle(found ?? refusal(methods), request, response);
    return true;
  };
};

/** Refuses a path, or a method of one that has others. */
const refusal =
  (methods: readonly string[]): Page =>
  (_, response) => {
    throw methods.length > 0 ? methodNotAllowed(response, methods) : new ServiceError('NOT_FOUND');
  };

const methodNotAllowed = (response: ServerResponse, methods: readonly string[]): ServiceError => {
  response.setHeader('Allow', allowHeader(methods));
  return new ServiceError('METHOD_NOT_ALLOWED');
};

const handle = async (show: Page, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    await show(request, response);
  } catch (error) {
    fail(response, error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR'));
  }
};

const send = (
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  requestId: string = randomUUID(),
): void => {
  const headers = {
    ...browserSafety,
    ...{ 'Content-Type': contentType, 'Cache-Control': 'no-store', 'X-Request-Id': requestId },
  };
  response.writeHead(status, headers).end(body);
};

const html = (response: ServerResponse, body: string): void =>
  send(response, 200, 'text/html; charset=utf-8', body);

const json = (response: ServerResponse, status: number, body: unknown): void =>
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));

const fail = (response: ServerResponse, error: ServiceError): void => {
  const requestId = randomUUID();
  const body = errorBody(error, requestId);
  send(response, error.status, 'application/json; charset=utf-8', body, requestId);
};

/** A picture of a demo home. As a page of its own it runs and loads nothing. */
const pictureRoute =
  (name: string): Page =>
  ({ method }, response) => {
    const picture = pictureNamed(name);
    if (picture === undefined) throw new ServiceError('NOT_FOUND', 'There is no such picture.');
    if (method !== 'GET') throw methodNotAllowed(response, ['GET']);
    response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    send(response, 200, 'image/svg+xml; charset=utf-8', picture);
  };

const paymentsPath = '/_local/payments/';
const Decision = z.strictObject({ outcome: z.enum(['success', 'failure']) });

/** The page of a payment and its buttons: the sandbox changes the payment and notifies the service as a gateway does (D71). */
const paymentRoute =
  (sandbox: SandboxGateway, key: string): Page =>
  async (request, response) => {
    const payment = sandbox.find(/^\d+$/.test(key) ? Number(key) : key);
    if (!payment) throw new ServiceError('NOT_FOUND', 'There is no such payment.');
    if (request.method === 'GET') {
      html(response, paymentPage(payment, sandbox.clock.now()));
      return;
    }
    if (request.method !== 'POST') throw methodNotAllowed(response, ['GET', 'POST']);
    const decision = Decision.safeParse(await readBody(request));
    if (!decision.success)
      throw invalid({ path: 'outcome', message: 'takes {"outcome": "success" | "failure"}' });
    const { outcome } = decision.data;
    if (outcome === 'failure' && payment.state === 'paid')
      throw new ServiceError('INVALID_STATE_TRANSITION', 'The payment is already paid.');
    sandbox.decide(payment, outcome);
    const current = sandbox.find(payment.reference) ?? payment;
    const { path, headers, body } = notificationOf(current);
    const reply = await fetch(`${sandbox.apiUrl()}${path}`, { method: 'POST', headers, body });
    json(response, 200, {
      payment_id: current.payment_id,
      outcome,
      state: current.state,
      notified: reply.status,
      message: `The service was notified: ${outcome}.`,
    });
  };

/** A form of another site can send other types without asking. */
const readBody = async (request: IncomingMessage): Promise<unknown> => {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  try {
    return JSON.parse(await text(request)) as unknown;
  } catch {
    return undefined;
  }
};

const readClockChange = async (request: IncomingMessage): Promise<ClockChange> => {
  const parsed = ClockChange.safeParse(await readBody(request));
  if (parsed.success) return parsed.data;
  throw invalid({ path: '', message: 'takes {"now": "<instant>"} or {"advance": "<ISO 8601 duration>"}' });
};

const afterOf = ({ url = '' }: IncomingMessage): number => {
  const after = new URLSearchParams(url.split('?')[1]).get('after') ?? '0';
  if (!/^\d{1,15}$/.test(after)) throw invalid({ path: 'after', message: 'must be the number of a request' });
  return Number(after);
};

const keyOf = ({ headers }: IncomingMessage): string | undefined => {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : undefined;
};
