import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { DynamoDB } from '../../../shared/platform/dynamodb/index.ts';
import { processes } from './once-a-file.ts';

/**
 * Begins each test file as in a new process, although modules stay loaded: its environment, its clients, and what is made once
 * for a process (`once`) are its own.
 */
const clients = [DynamoDB, DynamoDBClient, DynamoDBDocumentClient, EventBridgeClient, SESv2Client, SQSClient];

vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
processes.count += 1;

processes.first ??= {
  own: process.env,
  env: { ...process.env },
  senders: clients.map(({ prototype }) => Object.getOwnPropertyDescriptor(prototype, 'send')),
};
const { own, env, senders } = processes.first;
process.env = own;
for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
Object.assign(process.env, env);
for (const [index, { prototype }] of clients.entries()) {
  const send = senders[index];
  if (send) Object.defineProperty(prototype, 'send', send);
  else delete (prototype as { send?: unknown }).send;
}
