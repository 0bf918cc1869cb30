export {
  type Command,
  BatchGetCommand,
  DescribeTableCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from './commands.ts';
export { DynamoDB, type DynamoDBConfig, dynamodb, type Sender } from './client.ts';
export {
  isConditionalCheckFailed,
  isTransactionCanceled,
  isTransactionConflict,
  type TransactionCanceled,
} from './errors.ts';
export { readItem } from './read-json.ts';
export { asStored } from './as-stored.ts';
