import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { waitUntil } from '../support/wait-until.ts';
import { type House, playPartner, type Scene } from './play.ts';
import { stage } from './stage.ts';

/** The age at which a record is given up, a minute there, and what the emulator takes to try it again. */
const patienceMs = 180_000;
const TableName = `nightlatch-${stage}`;
const Key = { pk: { S: 'ORDER#0' }, sk: { S: 'EVENT#evt_rehearsal' } };

/**
 * Writes a record into the table that is no event although it is called one, waits until the publisher's dead letters name its place
 * in the stream, and plays a booking, whose events come behind it. Throws what was found.
 */
export const playBrokenRecord = async (scene: Scene, house: House): Promise<void> => {
  const [table, queues] = [new DynamoDBClient({}), new SQSClient({})];
  const QueueName = `nightlatch-${stage}-publisher-dead-letters`;
  const { QueueUrl } = await queues.send(new GetQueueUrlCommand({ QueueName }));
  const Item = { ...Key, entity: { S: 'Event' }, id: { S: 'evt_rehearsal' } };
  await table.send(new PutItemCommand({ TableName, Item }));
  await scene.step('a record of the stream cannot be published', async () => {
    let letter: string | undefined;
    const isGivenUp = async (): Promise<boolean> => {
      const received = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 });
      letter = (await queues.send(received)).Messages?.[0]?.Body;
      return letter !== undefined;
    };
    await waitUntil('the dead letters of the publisher name a record', isGivenUp, patienceMs);
    await table.send(new DeleteItemCommand({ TableName, Key }));
    await playPartner(scene, house);
    const { requestContext, DDBStreamBatchInfo } = JSON.parse(letter ?? '') as Record<string, unknown>;
    throw new Error(JSON.stringify({ requestContext, DDBStreamBatchInfo }));
  });
};
