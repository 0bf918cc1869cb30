import type {
  ChangeMessageVisibilityBatchCommandInput,
  CreateQueueCommandInput,
  DeleteMessageBatchCommandInput,
  ReceiveMessageCommandInput,
  ReceiveMessageCommandOutput,
  SendMessageCommandInput,
  SetQueueAttributesCommandInput,
} from '@aws-sdk/client-sqs';
import { importFromFauxqs } from './import-from-fauxqs.ts';
import type { SqsStore } from './fauxqs-store.ts';

/** SQS's actions in this process: what its HTTP endpoint calls, without a request, a signature and a socket. */
export interface SqsActions {
  createQueue(input: CreateQueueCommandInput): void;
  setQueueAttributes(input: SetQueueAttributesCommandInput): void;
  sendMessage(input: SendMessageCommandInput): void;
  receiveMessage(input: ReceiveMessageCommandInput): Promise<Pick<ReceiveMessageCommandOutput, 'Messages'>>;
  deleteMessageBatch(input: DeleteMessageBatchCommandInput): void;
  changeMessageVisibilityBatch(input: ChangeMessageVisibilityBatchCommandInput): void;
}

/** The request matters to `createQueue` alone: its headers have the address and the region of the queue. */
type Action = (input: unknown, store: SqsStore, request: { headers: Record<string, string> }) => unknown;

const actionNames = [
  'createQueue',
  'setQueueAttributes',
  'sendMessage',
  'receiveMessage',
  'deleteMessageBatch',
  'changeMessageVisibilityBatch',
] as const satisfies readonly (keyof SqsActions)[];

/** Returns the actions on a store, as asked at a host. */
export const sqsActions = async (
  store: SqsStore,
  { host, region }: { host: string; region: string },
): Promise<SqsActions> => {
  const authorization = `AWS4-HMAC-SHA256 Credential=local/20270101/${region}/sqs/aws4_request`;
  const request = { headers: { host, authorization } };
  const actions = await Promise.all(
    actionNames.map(async (name) => {
      const action = await importFromFauxqs<Action>(`./sqs/actions/${name}.js`, name);
      return [name, (input: unknown) => action(input, store, request)] as const;
    }),
  );
  return Object.fromEntries(actions) as unknown as SqsActions;
};
