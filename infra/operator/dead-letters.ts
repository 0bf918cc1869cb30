import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { deadLetterQueueName } from '../../shared/platform/events/queues.ts';

/** The approximate number of messages in a dead-letter queue. */
interface QueueDepth {
  queue: string;
  messages: number;
}

/** A message of a dead-letter queue. */
export interface DeadLetter {
  message_id: string;
  /** Both null if it is not an event; `body` then has the start of its text. */
  event_type: string | null;
  event_id: string | null;
  body?: string;
  /** Deliveries as the queue counts them, including reads by this tool. */
  receives: number;
  sent_at: string;
}

/** The result of a redrive: moved messages, or a move task of AWS. */
type RedriveResult =
  | { queue: string; moved: number }
  | { queue: string; task: { status: string; moved: number; to_move: number; started: boolean } };

export interface DeadLetters {
  depth(queue: string): Promise<QueueDepth>;
  /** Returns up to 10 messages; they stay in the queue and are visible again at once. */
  peek(queue: string): Promise<DeadLetter[]>;
  redrive(queue: string): Promise<RedriveResult>;
  /** Replaces each message whose text changes; returns how many. The others stay, and are visible again at the end. */
  rewrite(queue: string, change: (body: string) => string): Promise<number>;
}

interface Settings {
  client: SQSClient;
  /** Returns the name of a queue on the stage. */
  nameOf: (queue: string) => string;
  /** SQS moves messages by a task; the local queues do not support it. */
  moves: 'by-task' | 'one-by-one';
}

const maxShown = 10;
/** Long enough to move or show a batch; if the tool is stopped, messages are visible again after it. */
const visibilitySeconds = 30;
/** Long enough to read every message of a queue once. */
const wholeQueueSeconds = 600;
const mostInBatch = 10;
const maxShownChars = 500;

/** Returns the dead-letter queues of a stage (D17, D72). */
export const deadLetterQueues = (settings: Settings): DeadLetters => ({
  depth: async (queue) => ({
    queue,
    messages: await depthOf(settings, await urlOf(settings, deadLetterQueueName(queue))),
  }),
  peek: (queue) => peek(settings, queue),
  redrive: (queue) =>
    settings.moves === 'by-task' ? moveByTask(settings, queue) : moveOneByOne(settings, queue),
  rewrite: (queue, change) => rewrite(settings, queue, change),
});

const urlOf = async ({ client, nameOf }: Settings, queue: string): Promise<string> => {
  const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName: nameOf(queue) }));
  return QueueUrl;
};

const depthOf = async ({ client }: Settings, QueueUrl: string): Promise<number> => {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
};

const arnOf = async ({ client }: Settings, QueueUrl: string): Promise<string | undefined> => {
  const query = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
  return (await client.send(query)).Attributes?.['QueueArn'];
};

const receive = async (
  { client }: Settings,
  QueueUrl: string,
  { most, visibility = visibilitySeconds }: { most: number; visibility?: number },
): Promise<Message[]> => {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: Math.min(most, 10),
      VisibilityTimeout: visibility,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
};

const peek = async (settings: Settings, queue: string): Promise<DeadLetter[]> => {
  const QueueUrl = await urlOf(settings, deadLetterQueueName(queue));
  const wanted = Math.min(maxShown, await depthOf(settings, QueueUrl));
  const seen: Message[] = [];
  try {
    while (seen.length < wanted) {
      const more = await receive(settings, QueueUrl, { most: wanted - seen.length });
      if (more.length === 0) break;
      seen.push(...more);
    }
  } finally {
    await makeVisible(settings, QueueUrl, seen);
  }
  return seen.map(summarize);
};

const makeVisible = async (
  { client }: Settings,
  QueueUrl: string,
  seen: readonly Message[],
): Promise<void> => {
  const entries = seen.map(({ ReceiptHandle }, at) => ({
    Id: String(at),
    ReceiptHandle,
    VisibilityTimeout: 0,
  }));
  for (let at = 0; at < entries.length; at += mostInBatch)
    await client.send(
      new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: entries.slice(at, at + mostInBatch) }),
    );
};

const rewrite = async (
  settings: Settings,
  queue: string,
  change: (body: string) => string,
): Promise<number> => {
  const { client } = settings;
  const QueueUrl = await urlOf(settings, deadLetterQueueName(queue));
  const waiting = await depthOf(settings, QueueUrl);
  const unchanged: Message[] = [];
  let changed = 0;
  try {
    while (unchanged.length + changed < waiting) {
      const most = waiting - unchanged.length - changed;
      const messages = await receive(settings, QueueUrl, { most, visibility: wholeQueueSeconds });
      if (messages.length === 0) break;
      for (const message of messages) {
        const { Body = '', MessageAttributes, ReceiptHandle } = message;
        const MessageBody = change(Body);
        if (MessageBody === Body) {
          unchanged.push(message);
          continue;
        }
        // Sent before it is deleted: a failure in between duplicates the message, and consumers handle it once.
        await client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes }));
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        changed++;
      }
    }
  } finally {
    await makeVisible(settings, QueueUrl, unchanged);
  }
  return changed;
};

const Envelope = z.object({ detail: z.object({ id: z.string(), event_type: z.string() }) });

const summarize = ({ MessageId = '', Body = '', Attributes = {} }: Message): DeadLetter => {
  const event = Envelope.safeParse(jsonOf(Body)).data?.detail;
  return {
    message_id: MessageId,
    event_type: event?.event_type ?? null,
    event_id: event?.id ?? null,
    ...(event ? {} : { body: Body.slice(0, maxShownChars) }),
    receives: Number(Attributes.ApproximateReceiveCount ?? 0),
    sent_at: new Date(Number(Attributes.SentTimestamp ?? 0)).toISOString(),
  };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Moves as many as there are now, so that a message which fails again is not moved in a loop. */
const moveOneByOne = async (settings: Settings, queue: string): Promise<RedriveResult> => {
  const { client } = settings;
  const [from, to] = [await urlOf(settings, deadLetterQueueName(queue)), await urlOf(settings, queue)];
  const waiting = await depthOf(settings, from);
  let moved = 0;
  while (moved < waiting) {
    const messages = await receive(settings, from, { most: waiting - moved });
    if (messages.length === 0) break;
    for (const { Body, MessageAttributes, ReceiptHandle } of messages) {
      // Sent before it is deleted: a failure in between duplicates the message, and consumers handle it once.
      await client.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body, MessageAttributes }));
      await client.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
      moved++;
    }
  }
  return { queue, moved };
};

/** Starts a move task, unless one is running. */
const moveByTask = async (settings: Settings, queue: string): Promise<RedriveResult> => {
  const { client } = settings;
  const [SourceArn, DestinationArn] = [
    await arnOf(settings, await urlOf(settings, deadLetterQueueName(queue))),
    await arnOf(settings, await urlOf(settings, queue)),
  ];
  const latest = async () =>
    (await client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }))).Results?.[0];
  const running = await latest();
  const started = running?.Status !== 'RUNNING';
  if (started) await client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
  const task = started ? await latest() : running;
  return {
    queue,
    task: {
      status: task?.Status ?? 'RUNNING',
      moved: task?.ApproximateNumberOfMessagesMoved ?? 0,
      to_move: task?.ApproximateNumberOfMessagesToMove ?? 0,
      started,
    },
  };
};
