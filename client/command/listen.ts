import { type PartnerClient, type PartnerEvent, signWebhook } from '@nightlatch/client';
import { newestCursor } from './newest.ts';
import { UsageError } from './settings.ts';

interface ListenOptions {
  forwardTo: string;
  /** Event types; empty: all. */
  only: readonly string[];
  /** `now`, `start` or a cursor. */
  from: string;
  secret: string;
  print: (line: string) => void;
  signal: AbortSignal;
}

const answerWithinMs = 10_000;

/** Posts the events of the feed to an address, signed like webhooks, until it is interrupted. Nothing is sent twice. */
export const listen = async (client: PartnerClient, options: ListenOptions): Promise<void> => {
  const { forwardTo, only, from, secret, print, signal } = options;
  if (!URL.canParse(forwardTo)) throw new UsageError(`--forward-to ${forwardTo} is no address.`);
  const after = { now: () => newestCursor(client, signal), start: () => undefined }[from];
  const cursor = after ? await after() : from;
  print(`Forwarding to ${forwardTo}, signed with ${secret}`);
  const events = client.events({
    after: cursor,
    pollMs: 1_000,
    signal,
    onOutage: ({ error, delayMs }) => print(`${error.message} Next try in ${Math.round(delayMs / 1000)} s.`),
    onGap: ({ missedSince }) => print(`Events since ${missedSince ?? 'an unknown time'} may be missing.`),
  });
  for await (const event of events)
    if (only.length === 0 || only.includes(event.event_type))
      print(`${event.event_type} ${event.id} -> ${await forward(event, options)}`);
};

/** Returns the status of the answer, or why there is none. */
const forward = async (
  event: PartnerEvent,
  { forwardTo, secret, signal }: ListenOptions,
): Promise<string> => {
  const { id } = event;
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  try {
    const response = await fetch(forwardTo, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(await signWebhook(secret, { id, body })) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    await response.arrayBuffer();
    return `${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
  } catch (error) {
    signal.throwIfAborted();
    const { cause, message } = error as Error;
    return `no answer: ${cause instanceof Error ? cause.message : message}`;
  }
};
