import { DynamoDB } from '../../shared/platform/dynamodb/index.ts';
import { referenceClient, sdkCommand } from './reference-client.ts';

const references = new WeakMap<DynamoDB, ReturnType<typeof referenceClient>>();

/** With `DYNAMODB_CLIENT=sdk` the tests run over the SDK's client: what they require holds for both. */
DynamoDB.prototype.send = async function send(this: DynamoDB, command: object, options = {}) {
  const reference = references.get(this) ?? referenceClient(this.config);
  references.set(this, reference);
  return (await reference).send(sdkCommand(command), options) as never;
};
