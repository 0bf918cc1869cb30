import type {
  ChangeMessageVisibilityBatchCommandInput,
  DeleteMessageBatchCommandInput,
  ReceiveMessageCommandInput,
  ReceiveMessageCommandOutput,
  SendMessageCommandInput,
} from '@aws-sdk/client-sqs';
import { importOf } from './fauxqs-file.ts';
import type { SqsStore } from './fauxqs-store.ts';

/** SQS's actions in this process: what its HTTP endpoint calls, without a request, a signature and a socket. */
export interface SqsActions {
  sendMessage(input: SendMessageCommandInput): void;
  receiveMessage(input: ReceiveMessageCommandInput): Promise<Pick<ReceiveMessageCommandOutput, 'Messages'>>;
  deleteMessageBatch(input: DeleteMessageBatchCommandInput): void;
  changeMessageVisibilityBatch(input: ChangeMessageVisibilityBatchCommandInput): void;
}

type Action = (input: unknown, store: SqsStore) => unknown;

const actionNames = [
  'sendMessage',
  'receiveMessage',
  'deleteMessageBatch',
  'changeMessageVisibilityBatch',
] as const satisfies readonly (keyof SqsActions)[];

/** Returns the actions on a store. */
export const sqsActions = async (store: SqsStore): Promise<SqsActions> => {
  const actions = await Promise.all(
    actionNames.map(async (name) => {
      const action = await importOf<Action>(`./sqs/actions/${name}.js`, name);
      return [name, (input: unknown) => action(input, store)] as const;
    }),
  );
  return Object.fromEntries(actions) as unknown as SqsActions;
};
