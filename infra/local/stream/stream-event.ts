import type { _Record, AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue as EventValue, DynamoDBRecord } from 'aws-lambda';

type Item = Record<string, AttributeValue>;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const asEventValue = (value: AttributeValue): EventValue => {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  if (value.L !== undefined) return { L: value.L.map(asEventValue) };
  if (value.M !== undefined) return { M: asEventItem(value.M) };
  return value;
};

const asEventItem = (item: Item): Record<string, EventValue> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, asEventValue(value)]));

/** Returns a stream record in Lambda's format: bytes as base64, the time in seconds. */
export const asStreamRecord = (record: _Record, streamArn: string, awsRegion: string): DynamoDBRecord => {
  const { dynamodb: change = {} } = record;
  return {
    eventID: record.eventID ?? '',
    ...(record.eventName !== undefined && { eventName: record.eventName }),
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion,
    dynamodb: {
      ...(change.ApproximateCreationDateTime !== undefined && {
        ApproximateCreationDateTime: change.ApproximateCreationDateTime.getTime() / 1000,
      }),
      ...(change.Keys !== undefined && { Keys: asEventItem(change.Keys) }),
      ...(change.NewImage !== undefined && { NewImage: asEventItem(change.NewImage) }),
      ...(change.OldImage !== undefined && { OldImage: asEventItem(change.OldImage) }),
      SequenceNumber: change.SequenceNumber ?? '',
      SizeBytes: change.SizeBytes ?? 0,
      StreamViewType: change.StreamViewType ?? 'NEW_AND_OLD_IMAGES',
    },
    eventSourceARN: streamArn,
  };
};
