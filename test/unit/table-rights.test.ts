import { describe, expect, it } from 'vitest';
import { matches, partitionsOf, usesOfKey, widest } from '../../infra/rights/partitions.ts';
import { missingRights } from '../support/rights/service-right.ts';
import { missingTableRights } from '../support/rights/table-right.ts';

describe('patterns of partition keys', () => {
  it.each([
    ['ORDER#*', 'ORDER#16', true],
    ['ORDER#*', 'ORDER#', true],
    ['ORDER#*', 'ORDERS#16', false],
    ['TEAM#*#KEYS', 'TEAM#7#KEYS', true],
    ['TEAM#*#KEYS', 'TEAM#7', false],
    ['TEAM#*#KEYS', 'TEAM#KEYS', false],
    ['LIST#*#*', 'LIST#a', false],
    ['LIST#*#*', 'LIST#a#main', true],
    ['DUE_MAILS*', 'DUE_MAILS', true],
    ['OPEN_LISTINGS', 'OPEN_LISTINGS', true],
    ['OPEN_LISTINGS', 'OPEN_LISTINGS#1', false],
    ['TEAM#*', 'TEAM#*#KEYS', true],
    ['TEAM#*#KEYS', 'TEAM#*', false],
  ])('%s and %s', (pattern, key, expected) => {
    expect(matches(pattern, key)).toBe(expected);
  });

  it('leave out what another one contains', () => {
    expect(widest(['TEAM#*#KEYS', 'USER#*', 'TEAM#*', 'USER#*'])).toEqual(['TEAM#*', 'USER#*']);
  });

  it('come from the keys of entities', () => {
    expect(partitionsOf('Reservation')).toEqual(['ORDER#*']);
    expect(partitionsOf('Reservation', 'by_audience')).toEqual(['GUEST#*']);
    expect(partitionsOf('DueBooking')).toEqual(['DUE_BOOKINGS*']);
    expect(partitionsOf('Event')).toEqual([]);
    expect(() => partitionsOf('Nothing')).toThrow('Nothing');
    expect(usesOfKey('GUEST#*')).toEqual([{ partition: 'GUEST#*', access: 'by_audience' }]);
  });
});

describe('the rights of a function', () => {
  const put = (pk: string) => ({ TransactItems: [{ Put: { Item: { pk, sk: 'A' } } }] });
  const query = (pk: string, IndexName?: string) => ({
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeValues: { ':v0': pk, ':v1': 'A' },
    ...(IndexName === undefined ? {} : { IndexName }),
  });
  const batch = (...keys: string[]) => ({
    RequestItems: { table: { Keys: keys.map((pk) => ({ pk: { S: pk }, sk: { S: 'A' } })) } },
  });

  it.each([
    ['a chat writes messages', 'chats', 'TransactWriteItems', put('CHAT#1'), 0],
    ['a chat writes no booking', 'chats', 'TransactWriteItems', put('ORDER#1'), 1],
    ['search writes its rate', 'search', 'UpdateItem', { Key: { pk: 'RATE#user:1#2', sk: 'WINDOW' } }, 0],
    ['search writes no calendar', 'search', 'PutItem', { Item: { pk: 'CALENDAR#1', sk: 'MONTH' } }, 1],
    ['a batch needs the right of each key', 'cart', 'BatchGetItem', batch('LISTING#1', 'USER#1'), 1],
    ['a batch of what it may read', 'cart', 'BatchGetItem', batch('LISTING#1', 'CALENDAR#1'), 0],
    ['an index is a resource of its own', 'chats', 'Query', query('TEAM#1#CHATS', 'by_team'), 0],
    ['a team has other lists', 'chats', 'Query', query('TEAM#1#RESERVATIONS', 'by_team'), 1],
    ['the index is not the table', 'chats', 'Query', query('TEAM#1#CHATS'), 1],
    ['no function scans', 'bookings', 'Scan', {}, 1],
    ['health knows no table', 'system', 'GetItem', { Key: { pk: 'LISTING#1', sk: 'LISTING' } }, 1],
    ['the feed knows its table', 'webhooks', 'DescribeTable', {}, 0],
    ['others do not', 'bookings', 'DescribeTable', {}, 1],
  ])('%s', (_, folder, operation, input, missing) => {
    expect(missingTableRights(folder, operation, input)).toHaveLength(missing);
  });

  it.each([
    ['workers/publisher', 'AWSEvents.PutEvents', '/', '{}', 0],
    ['workers/chat', 'AWSEvents.PutEvents', '/', '{}', 1],
    ['workers/notification', '', '/v2/email/outbound-emails', '{}', 0],
    ['bookings', '', '/v2/email/outbound-emails', '{}', 1],
    ['workers/webhook', 'AmazonSQS.SendMessageBatch', '/', '{"QueueUrl":"http://a/1/webhook-delivery"}', 0],
    ['workers/webhook', 'AmazonSQS.SendMessageBatch', '/', '{"QueueUrl":"http://a/1/webhook-retry"}', 1],
    ['account', '', '/oauth/token', '{}', 0],
  ])('of %s: %s %s', (folder, target, path, body, missing) => {
    expect(missingRights(folder, { target, path, body })).toHaveLength(missing);
  });
});
