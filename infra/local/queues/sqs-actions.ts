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
type Action<Name extends keyof SqsActions> = (
  input: Parameters<SqsActions[Name]>[0],
  store: SqsStore,
  request: { headers: Record<string, string> },
) => ReturnType<SqsActions[Name]>;

/** Returns the actions on a store, as asked at a host. */
export const sqsActions = async (
  store: SqsStore,
  { host, region }: { host: string; region: string },
): Promise<SqsActions> => {
  const authorization = `AWS4-HMAC-SHA256 Credential=local/20270101/${region}/sqs/aws4_request`;
  const request = { headers: { host, authorization } };
  const action = async <Name extends keyof SqsActions>(name: Name) => {
    const act = await importFromFauxqs<Action<Name>>(`./sqs/actions/${name}.js`, name);
    return (input: Parameters<SqsActions[Name]>[0]) => act(input, store, request);
  };
  const [createQueue, setQueueAttributes, sendMessage, receiveMessage, deleted, changed] = await Promise.all([
    action('createQueue'),
    action('setQueueAttributes'),
    action('sendMessage'),
    action('receiveMessage'),
    action('deleteMessageBatch'),
    action('changeMessageVisibilityBatch'),
  ]);
  return {
    createQueue,
    setQueueAttributes,
    sendMessage,
    receiveMessage,
    deleteMessageBatch: deleted,
    changeMessageVisibilityBatch: changed,
  };
};
