import type { DynamoDBRecord } from 'aws-lambda';

/** Returns a record as Lambda gets it: with the stream that it is from. */
export const asStreamRecord = (
  record: DynamoDBRecord,
  streamArn: string,
  awsRegion: string,
): DynamoDBRecord => ({
  ...record,
  eventVersion: record.eventVersion ?? '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion,
  eventSourceARN: streamArn,
});
