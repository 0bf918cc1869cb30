#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Nightlatch, NightlatchError } from '@nightlatch/client';
import { listen } from './listen.ts';
import { tailRequests } from './requests.ts';
import { targetOf, UsageError } from './settings.ts';
import { trigger, triggerHelp } from './trigger.ts';

const help = `nightlatch <command> [--url <address>] [--key <API key>]

  listen --forward-to <url>   posts the events of the feed to an address, signed like webhooks
      --events <type,type>    only these
      --from <now|start|cursor>   default: now
      --secret <whsec_…>      default: a new one, which is printed
  trigger <event>             makes an event happen by real calls, and prints it
  requests tail [--once]      the recent requests of the key, and each new one (laptop only)

Address and key are also read from NIGHTLATCH_URL and NIGHTLATCH_API_KEY, and of a service that
runs on this laptop from .local/ready.json. Events that can be triggered:

${triggerHelp()}
`;

const options = {
  url: { type: 'string' },
  key: { type: 'string' },
  'forward-to': { type: 'string' },
  events: { type: 'string', default: '' },
  from: { type: 'string', default: 'now' },
  secret: { type: 'string' },
  once: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

const print = (line: string): void => console.log(line);

const run = async (signal: AbortSignal): Promise<void> => {
  const { values, positionals } = readArguments();
  const [command, what, ...more] = positionals;
  if (values.help || command === undefined) {
    print(help);
    return;
  }
  const target = targetOf(values, process.env);
  const client = new Nightlatch(target);
  if (command === 'listen' && what === undefined) {
    const { 'forward-to': forwardTo, events, from, secret = newSecret() } = values;
    if (forwardTo === undefined) throw new UsageError('listen needs --forward-to <url>.');
    const only = events.split(',').filter((type) => type !== '');
    return listen(client, { forwardTo, only, from, secret, print, signal });
  }
  if (command === 'trigger' && more.length === 0) {
    if (what === undefined) throw new UsageError(`Which event? These can be triggered:\n${triggerHelp()}`);
    print(JSON.stringify(await trigger({ client, baseUrl: target.baseUrl }, what)));
    return;
  }
  if (command === 'requests' && what === 'tail' && more.length === 0)
    return tailRequests(target, { follow: !values.once, print, signal });
  throw new UsageError(`nightlatch ${positionals.join(' ')} is no command; see nightlatch --help.`);
};

const readArguments = () => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort());

try {
  await run(interrupted.signal);
} catch (error) {
  if (!interrupted.signal.aborted) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof NightlatchError) return `${error.status} ${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
