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
type RedriveResult = { queue: string; moved: number } | { queue: string; task: MoveTask };

interface MoveTask {
  status: string;
  moved: number;
  to_move: number;
  started: boolean;
}

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
  redrive: async (queue) => {
    const [from, to] = [await urlOf(settings, deadLetterQueueName(queue)), await urlOf(settings, queue)];
    return settings.moves === 'by-task'
      ? { queue, task: await moveByTask(settings, from, to) }
      : { queue, moved: await sendAgain(settings, { from, to }, (body) => body) };
  },
  rewrite: async (queue, change) => {
    const url = await urlOf(settings, deadLetterQueueName(queue));
    return sendAgain(settings, { from: url, to: url, visibility: wholeQueueSeconds }, (body) => {
      const changed = change(body);
      return changed === body ? undefined : changed;
    });
  },
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
  { most, visibility = visibilitySeconds }: { most: number; visibility?: number | undefined },
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

/**
 * Sends each message that is there now again, with the text that `bodyOf` returns, and returns how many; one that fails again is
 * not moved in a loop. Those without a text stay, and are visible again at the end.
 */
const sendAgain = async (
  settings: Settings,
  { from, to, visibility }: { from: string; to: string; visibility?: number },
  bodyOf: (body: string) => string | undefined,
): Promise<number> => {
  const { client } = settings;
  const waiting = await depthOf(settings, from);
  const staying: Message[] = [];
  let sent = 0;
  try {
    while (staying.length + sent < waiting) {
      const most = waiting - staying.length - sent;
      const messages = await receive(settings, from, { most, visibility });
      if (messages.length === 0) break;
      for (const message of messages) {
        const { Body = '', MessageAttributes, ReceiptHandle } = message;
        const MessageBody = bodyOf(Body);
        if (MessageBody === undefined) {
          staying.push(message);
          continue;
        }
        // Sent before it is deleted: a failure in between duplicates the message, and consumers handle it once.
        await client.send(new SendMessageCommand({ QueueUrl: to, MessageBody, MessageAttributes }));
        await client.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
        sent++;
      }
    }
  } finally {
    await makeVisible(settings, from, staying);
  }
  return sent;
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

/** Starts a move task, unless one is running. */
const moveByTask = async (settings: Settings, from: string, to: string): Promise<MoveTask> => {
  const { client } = settings;
  const [SourceArn, DestinationArn] = [await arnOf(settings, from), await arnOf(settings, to)];
  const latest = async () =>
    (await client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }))).Results?.[0];
  const running = await latest();
  const started = running?.Status !== 'RUNNING';
  if (started) await client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
  const task = started ? await latest() : running;
  return {
    status: task?.Status ?? 'RUNNING',
    moved: task?.ApproximateNumberOfMessagesMoved ?? 0,
    to_move: task?.ApproximateNumberOfMessagesToMove ?? 0,
    started,
  };
};
